"""Every upper theorem on the shelf holds against every adversary, and every slip is objected to by one.

Nothing here names a theorem: a new file on the shelf is swept by itself, and fails until adversaries object to its near
misses and to the loss of each of its symbols.
"""

import pytest

import bounds

from .attack import attackers, dropped, objections

UPPER = [theorem for theorem in bounds.theorems() if theorem.kind == "upper"]
SLIPS = [(theorem, near_miss) for theorem in UPPER for near_miss in theorem.near_misses]
SYMBOLS = [(theorem, symbol) for theorem in UPPER for symbol in theorem.symbols]


@pytest.mark.parametrize("theorem", UPPER, ids=lambda theorem: theorem.id)
def test_no_adversary_objects(theorem: bounds.Theorem) -> None:
    assert len({attacker.name for attacker in attackers(theorem)}) >= 2
    assert list(objections(theorem.expr, theorem)) == []


@pytest.mark.parametrize(("theorem", "near_miss"), SLIPS, ids=lambda x: getattr(x, "id", None) or x.slip)
def test_every_near_miss_is_refuted(theorem: bounds.Theorem, near_miss: bounds.NearMiss) -> None:
    assert any(objections(near_miss.claim, theorem)), f"no adversary objects: {near_miss.slip}"


@pytest.mark.parametrize(("theorem", "symbol"), SYMBOLS, ids=lambda x: getattr(x, "id", None) or str(x))
def test_no_symbol_can_be_dropped(theorem: bounds.Theorem, symbol) -> None:
    assert any(objections(dropped(theorem, symbol), theorem)), f"no adversary objects when {symbol} is least"
