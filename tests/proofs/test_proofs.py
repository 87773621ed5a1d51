"""Every proof runs, every theorem has one, and a proof with anything changed in it fails."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
import sympy as sp

import bounds
from bounds import Theorem
from bounds.proof_status import is_proved, open_steps
from proofs import shelf
from proofs.proof import Proof
from proofs.record import PLACE, document, open_in
from proofs.steps import Below, Cites, Concludes, Fact, Identity, Inequality, Step

PROOFS = shelf()
OPEN: set[str] = set()  # theorems that are not proved; nothing else may be open, and nothing here may be proved
every_proof = pytest.mark.parametrize("proof", [pytest.param(proof, id=name) for name, proof in PROOFS.items()])


def step_cases(kind: type[Any]) -> pytest.MarkDecorator:
    cases = [
        pytest.param(proof, step, id=f"{name}-{number}")
        for name, proof in PROOFS.items()
        for number, step in enumerate(proof.steps, start=1)
        if isinstance(step, kind)
    ]
    return pytest.mark.parametrize(("proof", "step"), cases)


def holds(step: Step, proof: Proof) -> bool:
    return step.run(bounds.theorem(proof.theorem)).holds


@every_proof
def test_every_step_holds(proof: Proof) -> None:
    assert [outcome for _, outcome in proof.run() if not outcome.holds] == []


def test_every_theorem_is_proved_or_listed_as_open() -> None:
    assert {theorem.id for theorem in bounds.theorems() if open_in(theorem.id, PROOFS)} == OPEN


def test_there_is_no_proof_of_nothing() -> None:
    assert set(PROOFS) <= {theorem.id for theorem in bounds.theorems()}


def test_the_recorded_status_is_that_of_the_proofs() -> None:
    """If not: python -m proofs --record."""
    assert PLACE.read_text(encoding="utf-8") == document(PROOFS)
    for theorem in bounds.theorems():
        assert is_proved(theorem) == (theorem.id not in OPEN), open_steps(theorem)


# --- anything changed fails


def changed_claims(proof: Proof) -> Iterator[Theorem]:
    """The theorem with each near miss in place of its expression, and with hardly less than the expression."""
    theorem = bounds.theorem(proof.theorem)
    for claim in (*(miss.claim for miss in theorem.near_misses), theorem.expr * (1 - sp.Rational(1, 10**9))):
        altered = object.__new__(Theorem)
        for name, value in {f.name: getattr(theorem, f.name) for f in dataclasses.fields(theorem)}.items():
            object.__setattr__(altered, name, claim if name == "expr" else value)
        yield altered


@every_proof
def test_no_near_miss_is_proved(proof: Proof) -> None:
    for altered in changed_claims(proof):
        assert not proof.steps[-1].run(altered).holds, altered.expr


@step_cases(Identity)
def test_an_identity_with_a_wrong_sign_fails(proof: Proof, step: Identity) -> None:
    assert not holds(dataclasses.replace(step, rhs=-step.rhs), proof)


@step_cases(Identity)
def test_an_identity_with_a_term_too_much_fails(proof: Proof, step: Identity) -> None:
    more = sp.ones(*step.rhs.shape) if isinstance(step.rhs, sp.MatrixBase) else sp.S.One
    assert not holds(dataclasses.replace(step, rhs=step.rhs + more / 10**9), proof)


@step_cases(Inequality)
def test_the_opposite_of_an_inequality_fails(proof: Proof, step: Inequality) -> None:
    claim = step.claim
    opposite = dataclasses.replace(claim, expr=-claim.expr, form=None if claim.form is None else -claim.form)
    assert not holds(dataclasses.replace(step, claim=opposite), proof)


@step_cases(Inequality)
def test_an_inequality_about_something_else_than_its_form_fails(proof: Proof, step: Inequality) -> None:
    claim = dataclasses.replace(step.claim, expr=step.claim.expr * 2, form=step.claim.searched)
    assert not holds(dataclasses.replace(step, claim=claim), proof)


@step_cases(Below)
def test_a_comparison_with_a_larger_lower_side_fails(proof: Proof, step: Below) -> None:
    assert not holds(dataclasses.replace(step, lower=step.lower * sp.Rational(10**9 + 1, 10**9)), proof)


@step_cases(Below)
def test_a_comparison_whose_claim_is_wrong_fails(proof: Proof, step: Below) -> None:
    """Four times the claim's lower side, there and in the comparison: consistent, and false."""
    claim, lower = step.claim, step_lower(step)
    larger = dataclasses.replace(claim, expr=claim.expr - 3 * lower, form=None)
    more = step.lower + 3 * step.factor * lower.subs(dict[Any, Any](step.put), simultaneous=True)
    altered = dataclasses.replace(step, lower=more, claim=larger, budget=500)
    outcome = altered.run(bounds.theorem(proof.theorem))
    assert outcome.word == "FAILED"
    assert "false at" in outcome.detail


def step_lower(step: Below) -> sp.Expr:
    """The lower side of a comparison in the letters of its claim: the part with a negative sign."""
    return -sum((term for term in sp.Add.make_args(step.claim.expr) if term.could_extract_minus_sign()), sp.S.Zero)


@step_cases(Fact)
def test_a_fact_with_a_letter_or_hypothesis_left_out_fails(proof: Proof, step: Fact) -> None:
    for name in step.letters:
        rest = {letter: value for letter, value in step.letters.items() if letter != name}
        assert not holds(dataclasses.replace(step, letters=rest), proof)
        assert not holds(dataclasses.replace(step, letters={**step.letters, name: " "}), proof)
    for name in step.because:
        rest = {hypothesis: value for hypothesis, value in step.because.items() if hypothesis != name}
        assert not holds(dataclasses.replace(step, because=rest), proof)
    assert not holds(dataclasses.replace(step, letters={**step.letters, "stranger": "$x$"}), proof)


@step_cases(Cites)
def test_a_citation_of_itself_or_with_a_strange_symbol_fails(proof: Proof, step: Cites) -> None:
    assert not holds(dataclasses.replace(step, theorem_id=proof.theorem, values={}), proof)
    assert not holds(dataclasses.replace(step, values={**step.values, sp.Symbol("z"): sp.S.One}), proof)


@step_cases(Concludes)
def test_a_conclusion_with_another_bound_fails(proof: Proof, step: Concludes) -> None:
    assert not holds(dataclasses.replace(step, bound=step.bound * sp.Rational(10**9 - 1, 10**9)), proof)
