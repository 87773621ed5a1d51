"""Every theorem's record: the digits of its examples, and near misses that claim more than it does."""

import pytest

import bounds


@pytest.mark.parametrize("theorem", bounds.theorems(), ids=lambda theorem: theorem.id)
def test_examples_and_near_misses(theorem: bounds.Theorem) -> None:
    theorem.verify()
