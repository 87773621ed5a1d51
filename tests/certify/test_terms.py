"""The generated terms are those of the theorems today, and what has no term is refused by name."""

import json
from typing import Any

import pytest
import sympy as sp

import bounds
from bounds.hypotheses import OVERLAP
from certify.errors import CertificateError
from certify.terms import FILE, all_terms, entry, rises, term, text

x, n = sp.Symbol("x", real=True), sp.Symbol("n", real=True)


def test_the_file_is_generated_from_the_theorems() -> None:
    assert FILE.read_text(encoding="ascii") == text(), "run python -m certify.terms"
    assert json.loads(text()) == all_terms()


def test_every_theorem_is_there_whose_hypotheses_a_certificate_can_show() -> None:
    """A certificate says whether a layer is masked, not how; a causal theorem in one is refused as unknown."""
    shown = {"unmasked", "output-projection"}
    maps = {"softmax", "multi-head softmax", "attention sublayer", "differentiable map"}
    upper = [t for t in bounds.theorems() if (t.kind, t.norm) == ("upper", "l2") and t.map in maps]
    expected = {t.id for t in upper if {h.name for h in t.hypotheses} <= shown}
    assert set(all_terms()) == expected - {"compact-softmax-few-tokens"}
    assert "compact-softmax-causal" not in expected


def test_what_falls_in_one_occurrence_of_a_symbol_has_no_term() -> None:
    """The checker puts upper ends in, which proves nothing where an occurrence pulls down."""
    assert rises(x * sp.exp(x) / (1 + (n - 1) * sp.exp(-x)))
    assert not rises(x - sp.exp(x) / 4)
    assert not rises((x - 1) ** 2)
    assert not rises((n - 2) * x)
    assert not rises(1 / (1 - sp.exp(-x)))
    assert not rises(x**x)
    assert "compact-softmax-few-tokens" not in all_terms()


def test_nodes() -> None:
    L: Any
    L, h, H = sp.IndexedBase("L", real=True), sp.Symbol("h", integer=True), sp.Symbol("H", real=True)
    assert term(sp.Rational(-2, 3)) == ["number", "-2/3"]
    assert term(sp.sqrt(x)) == ["pow", ["symbol", "x"], ["number", "1/2"]]
    assert term(sp.exp(x)) == ["exp", ["symbol", "x"]]
    assert term(sp.log(x)) == ["log", ["symbol", "x"]]
    assert term(sp.Sum(L[h] ** 2, (h, 1, H))) == [
        "sum",
        "h",
        ["number", "1"],
        ["symbol", "H"],
        ["pow", ["indexed", "L", "h"], ["number", "2"]],
    ]


@pytest.mark.parametrize("expr", [sp.sin(x), sp.pi * x, sp.Max(x, n), sp.Float(0.5) * x], ids=str)
def test_unknown_nodes_are_refused(expr: sp.Expr) -> None:
    with pytest.raises(CertificateError, match=r"has no term: add it here and in checker/terms\.py"):
        term(expr)


def test_a_symbol_that_may_be_negative_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from bounds.notation import NOTATION, Entry, R

    monkeypatch.setitem(NOTATION, R, Entry("R", "radius", -1))
    with pytest.raises(CertificateError, match="compact-softmax: R may be negative"):
        entry(bounds.theorem("compact-softmax"))


def test_the_checker_knows_no_theorem_about_random_numbers() -> None:
    """So that no file can pass a probable bound off as a proved step."""
    assert OVERLAP in bounds.theorem("local-chebyshev").hypotheses
    assert "local-chebyshev" not in all_terms()
