"""A theorem is one record: what it says, under which hypotheses, and one expression that every reader shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import sympy as sp

from .errors import TheoremDataError
from .hypotheses import Hypothesis
from .notation import NOTATION, LetterLike, by_name

KINDS = ("upper", "lower")
NORMS = ("l2",)
DOMAINS = ("point", "ball", "layernorm", "any")
ATTENTION = ("softmax", "multi-head softmax")

Values = Mapping[LetterLike, object]


@dataclass(frozen=True)
class Example:
    """The expression's value at a point, to as many digits as are written; found by a second route."""

    at: Values
    digits: str


@dataclass(frozen=True)
class NearMiss:
    """A false neighbour of the theorem and what slipped; some adversary must refute it."""

    claim: sp.Expr
    slip: str


@dataclass(frozen=True)
class Theorem:
    """A bound on a Lipschitz constant or Jacobian norm, checked against the notation when it is built.

    The id is the file's name with hyphens. `expr` is monotone nondecreasing in every real symbol.

    Raises TheoremDataError for a word outside the vocabularies, an unknown symbol, or a near miss equal to the claim.
    """

    module: str
    title: str
    statement: str
    kind: Literal["upper", "lower"]
    attention: str
    norm: str
    domain: str
    expr: sp.Expr
    source: str  # "new" or a key of references.bib
    hypotheses: Sequence[Hypothesis] = ()
    examples: Sequence[Example] = ()
    near_misses: Sequence[NearMiss] = ()
    symbols: tuple[LetterLike, ...] = field(init=False)

    def __post_init__(self) -> None:
        for value, allowed in (
            (self.kind, KINDS),
            (self.norm, NORMS),
            (self.domain, DOMAINS),
            (self.attention, ATTENTION),
        ):
            if value not in allowed:
                raise TheoremDataError(f"{self.id}: {value!r} is none of {', '.join(allowed)}")
        object.__setattr__(self, "symbols", _symbols(self.id, self.expr))
        for near_miss in self.near_misses:
            if near_miss.claim == self.expr:
                raise TheoremDataError(f"{self.id}: the near miss {near_miss.slip!r} equals the theorem")

    @property
    def id(self) -> str:
        return self.module.rpartition(".")[2].replace("_", "-")

    def evaluate(self, **values: object) -> sp.Float:
        """The expression at plain numbers, to 30 digits; an estimate, since nothing is enclosed.

        Raises KeyError for a name that is no symbol, and TheoremDataError when a symbol has no value.
        """
        return evaluate(self.expr, {by_name(name): value for name, value in values.items()})

    def latex(self) -> str:
        """A theorem environment with statement, hypotheses, formula and source."""
        from .latex import theorem_environment

        return theorem_environment(self)

    def _repr_latex_(self) -> str:
        from .latex import formula

        return f"$\\displaystyle {formula(self)}$"


def evaluate(expr: sp.Expr, values: Values) -> sp.Float:
    """The expression at plain numbers, floats taken as the doubles they are, to 30 digits."""
    exact = {s: _exact(v) for s, v in values.items() if isinstance(s, sp.Symbol)}
    indexed = {
        base[i + 1]: _exact(v)
        for base, entries in values.items()
        if isinstance(base, sp.IndexedBase) and isinstance(entries, Sequence)
        for i, v in enumerate(entries)
    }
    result = expr.subs(exact).doit().subs(indexed)
    if result.free_symbols:
        missing = ", ".join(sorted(str(s) for s in result.free_symbols))
        raise TheoremDataError(f"no value given for {missing}")
    return sp.N(result, 30)


def _exact(value: object) -> sp.Expr:
    return sp.Rational(value) if isinstance(value, float) else sp.sympify(value)


def _symbols(theorem_id: str, expr: sp.Expr) -> tuple[LetterLike, ...]:
    bases = {index.base for index in expr.atoms(sp.Indexed)}
    free = {s for s in expr.free_symbols if isinstance(s, sp.Symbol)}
    free -= {base.label for base in bases}
    unknown = [str(s) for s in (*free, *bases) if s not in NOTATION]
    if unknown:
        raise TheoremDataError(f"{theorem_id}: {', '.join(sorted(unknown))} stands in no line of the notation")
    return tuple(sorted((*free, *bases), key=str))
