"""The compact bounds lie below the published ones on the whole quadrant n >= 1, rho >= 0: proved, not sampled.

n is any real number there, and an integer for the causal bound. The proofs of the published theorems hold the steps.
"""

import dataclasses
from importlib import import_module
from typing import Any

import pytest
import sympy as sp

import bounds
from bounds.notation import norm_a
from certify.inequality import Proved, decide
from proofs import shelf
from proofs.steps import Below
from proofs.weight import AT_MOST_MEAN_FIELD, AT_MOST_ONE

BELOW = pytest.mark.parametrize(
    ("lower_id", "upper_id"),
    [
        ("compact-softmax", "compact-softmax-published"),
        ("compact-softmax", "mean-field-published"),
        ("compact-softmax-causal", "compact-softmax-published"),
    ],
)


def comparison(lower_id: str, upper_id: str) -> Below:
    """The step that compares the two theorems."""
    lower = bounds.theorem(lower_id).expr
    return next(step for step in shelf()[upper_id].steps if isinstance(step, Below) and step.lower == lower)


@BELOW
def test_the_new_bounds_are_below_the_published_ones(lower_id: str, upper_id: str) -> None:
    step = comparison(lower_id, upper_id)
    assert step.run(bounds.theorem(upper_id)).word == "proved"
    reach = {str(axis.symbol): (axis.least, {axis.at(end) for end in axis.ends}) for axis in step.claim.axes}
    assert reach["beta"] == (0, {0, None})  # None is infinity
    assert "n" not in reach or reach["n"] == (1, {1, None})


@BELOW
def test_and_without_query_bias(lower_id: str, upper_id: str) -> None:
    """At a = 0 the share of rho in beta is one: the same step speaks about rho alone."""
    step = comparison(lower_id, upper_id)
    bare: dict[Any, Any] = {norm_a: sp.S.Zero}
    share = next(symbol for symbol in step.put if str(symbol) == "s")
    assert sp.simplify(step.put[share].subs(bare)) == 1


def test_the_values_put_in_lie_on_the_axes() -> None:
    """w <= 1 and n w exp(-2 beta) <= 1; the claims range over all such values."""
    assert isinstance(decide(AT_MOST_ONE.claim), Proved)
    assert isinstance(decide(AT_MOST_MEAN_FIELD.claim), Proved)


@pytest.mark.parametrize("factor", [2, 3])
def test_a_comparison_that_is_false_is_not_proved(factor: int) -> None:
    """The published bound is about sqrt(3) times the compact one at best: at n = 1, rho = 0."""
    step = comparison("compact-softmax", "compact-softmax-published")
    claim = step.claim
    module = import_module("proofs.compact-softmax-published.proof")
    larger = module.difference(factor=sp.Integer(factor))
    assert larger.axes == claim.axes
    altered = dataclasses.replace(step, lower=factor * step.lower, claim=larger)
    outcome = altered.run(bounds.theorem("compact-softmax-published"))
    assert outcome.word == "FAILED"
    assert "false at" in outcome.detail
