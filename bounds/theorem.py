"""A theorem is one record: what it says, under which hypotheses, and one expression that every reader shares."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from typing import Literal

import sympy as sp

from .errors import TheoremDataError
from .evaluation import Number, Values, evaluate
from .hypotheses import Hypothesis
from .maps import MAPS, NORMS
from .notation import NOTATION, LetterLike, by_name

KINDS = ("upper", "lower")
DOMAINS = ("point", "ball", "layernorm", "global", "any")


@dataclass(frozen=True, eq=False)
class Example:
    """The expression's value at a point, to as many digits as are written; found by a second route."""

    at: Values
    digits: str


@dataclass(frozen=True, eq=False)
class NearMiss:
    """A false neighbour of the theorem and what slipped; some adversary must refute it."""

    claim: sp.Expr
    slip: str


@dataclass(frozen=True, eq=False)
class Theorem:
    """A bound on a Lipschitz constant or Jacobian norm, checked against the notation when it is built.

    The id is the file's name with hyphens. `expr` is monotone nondecreasing in every real symbol.

    Raises TheoremDataError for a word outside the vocabularies, an unknown symbol, an example that does not give
    every symbol a value, or a near miss equal to the claim.
    """

    module: str
    _: KW_ONLY
    title: str
    statement: str
    kind: Literal["upper", "lower"]
    map: str  # a key of MAPS
    norm: str
    domain: str
    expr: sp.Expr
    source: str  # "new" or a key of references.bib
    hypotheses: Sequence[Hypothesis] = ()
    examples: Sequence[Example]
    near_misses: Sequence[NearMiss]
    symbols: tuple[LetterLike, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", symbols_of(self.expr, self.id))
        _check_words(self)
        _check_examples(self)
        _check_near_misses(self)

    @property
    def id(self) -> str:
        return self.module.rpartition(".")[2].replace("_", "-")

    @property
    def proof(self) -> str:
        """Where the proof stands, from the top of the repository."""
        return f"proofs/{self.id}/proof.py"

    def evaluate(self, **values: Number | Sequence[Number]) -> sp.Float:
        """The expression at plain numbers, to 30 digits; an estimate, since nothing is enclosed.

        Symbols of the notation that this theorem does not use are ignored, so one set of values serves every theorem.

        Raises UnknownSymbol for a name outside the notation, EvaluationError for a missing or unusable value.
        """
        return evaluate(self.expr, {by_name(name): value for name, value in values.items()})

    def verify(self) -> None:
        """Compare every example with the expression and every near miss with the theorem.

        Kept out of construction, where it would cost the import half its time; a test calls it for all theorems.

        Raises TheoremDataError for digits that are not the value's, or a near miss no stronger than the theorem at
        any example.
        """
        for example in self.examples:
            _verify_digits(self, example)
        for near_miss in self.near_misses:
            _verify_stronger(self, near_miss)

    def latex(self) -> str:
        """A theorem environment with statement, hypotheses, formula, letters and source."""
        from .latex import theorem_environment

        return theorem_environment(self)

    def _repr_latex_(self) -> str:
        from .latex import formula

        return f"$\\displaystyle {formula(self)}$"


def symbols_of(expr: sp.Expr, theorem_id: str) -> tuple[LetterLike, ...]:
    """The symbols that need a value, by name; a sum's index needs none.

    Raises TheoremDataError for a symbol outside the notation.
    """
    bases = expr.atoms(sp.IndexedBase)
    free = {s for s in expr.free_symbols if isinstance(s, sp.Symbol)} - {base.label for base in bases}
    unknown = [str(s) for s in (*free, *bases) if s not in NOTATION]
    if unknown:
        raise TheoremDataError(f"{theorem_id}: {', '.join(sorted(unknown))} stands in no line of the notation")
    return tuple(sorted((*free, *bases), key=str))


def _check_words(theorem: Theorem) -> None:
    for value, allowed in (
        (theorem.kind, KINDS),
        (theorem.norm, NORMS),
        (theorem.domain, DOMAINS),
        (theorem.map, MAPS),
    ):
        if value not in allowed:
            raise TheoremDataError(f"{theorem.id}: {value!r} is none of {', '.join(allowed)}")
    for name in ("title", "statement", "source"):
        if not getattr(theorem, name).strip():
            raise TheoremDataError(f"{theorem.id}: the {name} is empty")


def _check_examples(theorem: Theorem) -> None:
    if not theorem.examples:
        raise TheoremDataError(f"{theorem.id}: no example; give one with digits from a second route")
    for example in theorem.examples:
        odd = set(example.at) ^ set(theorem.symbols)
        if odd:
            names = ", ".join(sorted(map(str, odd)))
            raise TheoremDataError(f"{theorem.id}: an example must give each symbol one value; look at {names}")


def _check_near_misses(theorem: Theorem) -> None:
    if not theorem.near_misses:
        raise TheoremDataError(f"{theorem.id}: no near miss; give a false neighbour that an adversary can refute")
    for near_miss in theorem.near_misses:
        extra = set(symbols_of(near_miss.claim, theorem.id)) - set(theorem.symbols)
        if extra:
            names = ", ".join(sorted(map(str, extra)))
            raise TheoremDataError(f"{theorem.id}: the near miss {near_miss.slip!r} uses {names}, the theorem does not")
        if near_miss.claim == theorem.expr:
            raise TheoremDataError(f"{theorem.id}: the near miss {near_miss.slip!r} equals the theorem")


def _verify_digits(theorem: Theorem, example: Example) -> None:
    value = Decimal(str(evaluate(theorem.expr, example.at)))
    written = Decimal(example.digits)
    half_a_unit = Decimal((0, (5,), int(written.as_tuple().exponent) - 1))
    if not abs(value - written) <= half_a_unit:
        raise TheoremDataError(f"{theorem.id}: an example says {example.digits}, the expression gives {value}")


def _verify_stronger(theorem: Theorem, near_miss: NearMiss) -> None:
    """A near miss claims more than the theorem: less, for an upper bound, at one example at least."""
    sign = 1 if theorem.kind == "upper" else -1
    gains = (
        sign * (evaluate(theorem.expr, example.at) - evaluate(near_miss.claim, example.at))
        for example in theorem.examples
    )
    if not any(gain > 0 for gain in gains):
        raise TheoremDataError(f"{theorem.id}: the near miss {near_miss.slip!r} is not stronger at any example")
