"""The compact bound lies below both published ones on the whole quadrant n >= 1 (real), rho >= 0: proved, not sampled.

The proofs of the published theorems hold the steps; here they are taken at a = 0, and for the masked bound.
"""

import dataclasses
from importlib import import_module
from typing import Any

import pytest
import sympy as sp

import bounds
from bounds.notation import beta, n, norm_a, norm_V, rho
from certify.inequality import Claim, HalfLine, Proved, decide
from proofs import shelf
from proofs.steps import Below
from proofs.weight import AT_MOST_MEAN_FIELD, AT_MOST_ONE

i = sp.Symbol("i", integer=True)
compact: Any = bounds.theorem("compact-softmax").expr
published: Any = bounds.theorem("compact-softmax-published").expr
masked: Any = norm_V * (rho + sp.sqrt(1 + beta**2) * sp.sqrt(sp.Sum(1 / (1 + i * sp.exp(-2 * beta)), (i, 0, n - 1))))


def comparison(theorem_id: str) -> Below:
    """The step that compares the compact bound with the theorem."""
    return next(step for step in shelf()[theorem_id].steps if isinstance(step, Below) and step.lower == compact)


@pytest.mark.parametrize("theorem_id", ["compact-softmax-published", "mean-field-published"])
def test_the_compact_bound_is_below_the_published_ones(theorem_id: str) -> None:
    step = comparison(theorem_id)
    assert step.run(bounds.theorem(theorem_id)).word == "proved"
    ends = {str(axis.symbol): (axis.least, axis.at(axis.ends[0]), axis.at(axis.ends[1])) for axis in step.claim.axes}
    assert ends["beta"] == (0, 0, None)  # from 0 to infinity
    if theorem_id == "compact-softmax-published":
        assert ends["n"] == (1, None, 1)


@pytest.mark.parametrize("theorem_id", ["compact-softmax-published", "mean-field-published"])
def test_and_without_query_bias(theorem_id: str) -> None:
    """At a = 0 the share of rho in beta is one: the same step speaks about rho alone."""
    step = comparison(theorem_id)
    bare: dict[Any, Any] = {norm_a: sp.S.Zero}
    share = next(symbol for symbol in step.put if str(symbol) == "s")
    assert sp.simplify(step.put[share].subs(bare)) == 1


def test_the_values_put_in_lie_on_the_axes() -> None:
    """w <= 1 and n w exp(-2 beta) <= 1; the relaxed claims range over all such values."""
    assert isinstance(decide(AT_MOST_ONE.claim), Proved)
    assert isinstance(decide(AT_MOST_MEAN_FIELD.claim), Proved)


def test_the_masked_bound_is_below_the_published_one() -> None:
    """Its mean weight, sum_i 1 / (1 + i exp(-2 beta)) / n, lies in [0, 1] like w, term by term."""
    step = comparison("compact-softmax-published")
    mean = sp.Sum(1 / (1 + i * sp.exp(-2 * beta)), (i, 0, n - 1)) / n
    weight = next(symbol for symbol in step.put if str(symbol) == "w")
    masked_step = dataclasses.replace(step, lower=masked, put={**step.put, weight: mean})
    assert masked_step.run(bounds.theorem("compact-softmax-published")).word == "proved"

    x, place, u, E, t, F = sp.symbols("x i u E t F", real=True)
    axes = (HalfLine(x, u, E), HalfLine(place, t, F))
    # 1 - 1 / (1 + i exp(-2x)) has the sign of i exp(-2x)
    term = Claim(place * sp.exp(-2 * x), axes, multiplier=1 / (1 + place), form=t * E**2)
    assert isinstance(decide(term), Proved)


@pytest.mark.parametrize("factor", [2, 3])
def test_a_comparison_that_is_false_is_not_proved(factor: int) -> None:
    """The published bound is about sqrt(3) times the compact one at best: at n = 1, rho = 0."""
    step = comparison("compact-softmax-published")
    claim = step.claim
    module = import_module("proofs.compact-softmax-published.proof")
    larger = module.difference(factor=sp.Integer(factor))
    assert larger.axes == claim.axes
    altered = dataclasses.replace(step, lower=factor * step.lower, claim=larger)
    outcome = altered.run(bounds.theorem("compact-softmax-published"))
    assert outcome.word == "FAILED"
    assert "false at" in outcome.detail
