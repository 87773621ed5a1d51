"""Every lower theorem is attained in every family it speaks of, and every slip exceeds a proved upper bound in one.

Nothing here names a theorem: a new file on the shelf is tested by itself.
"""

from functools import cache

import pytest

import bounds

from .attack import reader
from .lower_families import Family, families

LOWER = [theorem for theorem in bounds.theorems() if theorem.kind == "lower"]
SLIPS = [(theorem, near_miss) for theorem in LOWER for near_miss in theorem.near_misses]
UPPER = [
    theorem
    for theorem in bounds.theorems()
    if (theorem.kind, theorem.map, theorem.norm, theorem.domain) == ("upper", "softmax", "l2", "ball")
]
COUNTS = {"n", "cluster", "inverse_fewest", "most"}
SLACK = 1e-12


@cache
def spoken_of(theorem: bounds.Theorem) -> list[Family]:
    wanted = {hypothesis.name for hypothesis in theorem.hypotheses}
    names = {str(symbol) for symbol in theorem.symbols}
    return [family for family in _families() if wanted <= family.hypotheses and names <= set(family.numbers)]


@cache
def _families() -> list[Family]:
    return list(families())


def test_the_shelf_has_lower_bounds() -> None:
    assert len(LOWER) >= 4


@pytest.mark.parametrize("theorem", LOWER, ids=lambda theorem: theorem.id)
def test_every_lower_bound_is_attained(theorem: bounds.Theorem) -> None:
    claimed = reader(theorem.expr, theorem)
    assert len(spoken_of(theorem)) > 10
    for family in spoken_of(theorem):
        assert claimed(dict(family.numbers)) <= reach(theorem, family) * (1 + SLACK), family


def reach(theorem: bounds.Theorem, family: Family) -> float:
    """The largest norm found for the same maps, with the same counts where the theorem names them."""
    same = {"R", "norm_A", "norm_V", "gamma_real"} | (COUNTS & {str(symbol) for symbol in theorem.symbols})
    return max(
        other.attained
        for other in spoken_of(theorem)
        if all(other.numbers.get(name) == family.numbers.get(name) for name in same)
    )


def proved(theorem: bounds.Theorem, family: Family) -> float:
    """The least upper theorem about these heads, for every number of tokens where the lower one leaves it open."""
    allowed = set(family.numbers) - (set() if COUNTS & set(map(str, theorem.symbols)) else COUNTS)
    return min(
        reader(upper.expr, upper)(dict(family.numbers))
        for upper in UPPER
        if {hypothesis.name for hypothesis in upper.hypotheses} <= family.hypotheses
        and {str(symbol) for symbol in upper.symbols} <= allowed
    )


@pytest.mark.parametrize("theorem", LOWER, ids=lambda theorem: theorem.id)
def test_no_lower_bound_exceeds_an_upper_one(theorem: bounds.Theorem) -> None:
    claimed = reader(theorem.expr, theorem)
    for family in spoken_of(theorem):
        assert claimed(dict(family.numbers)) <= proved(theorem, family) * (1 + SLACK)


@pytest.mark.parametrize(("theorem", "near_miss"), SLIPS, ids=lambda x: getattr(x, "id", None) or x.slip)
def test_every_near_miss_exceeds_an_upper_bound(theorem: bounds.Theorem, near_miss: bounds.NearMiss) -> None:
    claimed = reader(near_miss.claim, theorem)
    assert any(claimed(dict(family.numbers)) > proved(theorem, family) * (1 + SLACK) for family in spoken_of(theorem))
