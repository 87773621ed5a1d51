import dataclasses

import numpy as np
import pytest

import bounds
from bounds import hypotheses as known
from certify.arithmetic.interval import Interval
from certify.derivation import derive
from certify.errors import NoEnclosure
from certify.hypotheses import CHECKS
from certify.method import Enclosed
from certify.outcome import Bound, Guarantee, NoBound
from tests.certify.layers import causal, random_layer

HEAD = random_layer(0, heads=1, output=False)


def test_the_value_is_the_expression_rounded_up() -> None:
    values = {"covariance_term": Interval(0.0, 0.1), "weighted_column": Interval(0.0, 2.0)}
    bound = derive("local-covariance", "point", HEAD, lambda: Enclosed(values)).bound
    assert isinstance(bound, Bound)
    assert bound.guarantee is Guarantee.PROVED
    assert 0.1 + 2**0.5 <= bound.value <= (0.1 + 2**0.5) * (1 + 1e-15)


def test_a_theorem_whose_hypothesis_fails_gives_no_bound() -> None:
    masked = random_layer(0, heads=1, output=False, score_bias=causal(3))

    def never() -> Enclosed:
        raise AssertionError("nothing is computed for a theorem that does not apply")

    bound = derive("compact-softmax", "ball", masked, never).bound
    assert isinstance(bound, NoBound)
    assert "compact-softmax does not apply: it needs that every token attends to every token" in bound.reason


def test_overflow_gives_no_bound() -> None:
    values = {name: Interval.point(100.0) for name in ("R", "norm_A", "norm_a", "norm_V")}
    bound = derive("mean-field-published", "ball", HEAD, lambda: Enclosed(values)).bound
    assert isinstance(bound, NoBound)
    assert "overflows" in bound.reason


def test_a_method_without_information_gives_its_reason() -> None:
    def unknown() -> Enclosed:
        raise NoEnclosure("a matrix entry overflowed")

    bound = derive("local-schur", "point", HEAD, unknown).bound
    assert isinstance(bound, NoBound)
    assert bound.reason == "a matrix entry overflowed"


def test_every_named_hypothesis_has_its_check() -> None:
    named = {h.name for h in vars(known).values() if isinstance(h, known.Hypothesis)}
    assert named == set(CHECKS)
    assert {h.name for theorem in bounds.theorems() for h in theorem.hypotheses} <= named


@pytest.mark.parametrize("theorem", bounds.theorems(), ids=lambda t: t.id)
def test_a_theorem_without_values_gives_no_bound(theorem) -> None:
    layer = random_layer(0, heads=1)
    assert isinstance(derive(theorem.id, "point", layer, lambda: Enclosed({})).bound, NoBound)


@pytest.mark.parametrize("name", ["relu", "softmax-half"])
def test_a_theorem_about_another_map_gives_no_bound(name: str) -> None:
    bound = derive(name, "point", HEAD, lambda: Enclosed({})).bound
    assert isinstance(bound, NoBound)
    assert f"{name} does not apply: it speaks of the map" in bound.reason


def test_a_theorem_in_another_norm_gives_no_bound() -> None:
    values = {name: Interval.point(1.0) for name in ("R", "norm_A", "norm_a", "norm_V")}
    bound = derive("compact-max-token", "ball", HEAD, lambda: Enclosed(values)).bound
    assert isinstance(bound, NoBound)
    assert "it speaks of the max-token norm, certificates of l2" in bound.reason


@pytest.mark.parametrize(
    ("name", "bias", "holds"),
    [
        ("finite-constants", [[0.0, 3.0], [-1.0, 0.0]], True),
        ("finite-constants", [[0.0, -np.inf], [0.0, 0.0]], False),
        ("finite-constants", None, True),
        ("mask-only", [[0.0, -np.inf], [0.0, 0.0]], True),
        ("mask-only", [[0.0, -np.inf], [1.0, 0.0]], False),
        ("mask-only", None, True),
    ],
)
def test_what_is_added_to_the_scores_decides(name: str, bias: list | None, holds: bool) -> None:
    layer = random_layer(0, heads=1, score_bias=None if bias is None else np.array(bias))
    assert CHECKS[name](layer) is holds


def test_tied_queries_and_keys_are_known_to_give_positive_scores() -> None:
    tied = dataclasses.replace(HEAD, key_weight=HEAD.query_weight)
    assert CHECKS["positive-scores"](tied)
    assert not CHECKS["positive-scores"](HEAD)


def test_a_query_bias_is_noticed() -> None:
    assert not CHECKS["no-query-bias"](HEAD)
    assert CHECKS["no-query-bias"](dataclasses.replace(HEAD, query_bias=np.zeros_like(HEAD.query_bias)))
