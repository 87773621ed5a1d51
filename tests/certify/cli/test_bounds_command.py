"""`certify bounds`: closed forms side by side, tightest first, each rounded up and with its guarantee."""

import json
from fractions import Fraction

import pytest

import bounds
from tests.certify.cli.runs import Run, assert_refused

NORMS = ("--norm-a", "0.5", "--norm-v", "1", "--radius", "3")


def test_the_tightest_form_stands_first(run: Run) -> None:
    ran = run("bounds", "--n", 128, *NORMS)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["upper", "guarantee", "theorem", "source", "title"]
    assert [line.split()[2] for line in lines[1:]] == [
        "compact-softmax-few-tokens",
        "compact-softmax",
        "compact-softmax-published",
        "compact-softmax-many-tokens",
        "mean-field",
        "mean-field-published",
    ]
    assert {line.split()[1] for line in lines[1:]} == {"proved"}


@pytest.mark.parametrize("causal", [False, True])
def test_every_number_is_the_theorem_rounded_up(run: Run, causal: bool) -> None:
    flags = ["--causal"] if causal else []
    document = json.loads(run("bounds", "--n", 20, *NORMS, "--norm-query-bias", "1/3", *flags, "--json", "-").out)
    values = {
        "n": 20,
        "R": 3,
        "norm_A": 0.5,
        "norm_a": Fraction(1, 3),
        "norm_V": 1,
    }
    assert document["upper"] == document["candidates"][0]
    named = {candidate["theorem"] for candidate in document["candidates"]}
    assert ("compact-softmax-causal-hardy" in named) == causal
    assert ("compact-softmax" in named) == (not causal)
    for candidate in document["candidates"]:
        exact = bounds.theorem(candidate["theorem"]).evaluate(**values)
        assert exact <= candidate["value"] <= exact * (1 + 1e-15)
        assert candidate["guarantee"] == "proved"
    assert [c["value"] for c in document["candidates"]] == sorted(c["value"] for c in document["candidates"])


def test_decimals_are_taken_exactly(run: Run) -> None:
    """Not as the double nearest to them, which lies below one half of them."""
    document = json.loads(
        run("bounds", "--n", 1, "--norm-a", "0", "--norm-v", "0.3", "--radius", "0", "--json", "-").out
    )
    assert Fraction(0.3) < Fraction(3, 10) <= Fraction(document["upper"]["value"])


def test_what_overflows_has_no_bound_and_a_reason(run: Run) -> None:
    ran = run("bounds", "--n", 5, "--norm-a", "1e6", "--norm-v", "1", "--radius", "10")
    assert ran.status == 0
    assert ran.out.splitlines()[-1].startswith("no bound (mean-field-published): ")


def test_a_causal_head_of_very_many_tokens(run: Run) -> None:
    ran = run("bounds", "--n", 10**9, "--norm-a", "0.5", "--norm-v", "1", "--radius", "1", "--causal")
    assert ran.status == 0
    assert ran.out.splitlines()[1].split()[2] == "compact-softmax-causal-hardy"
    assert "no bound (compact-softmax-causal): the sum over i has 1000000000 terms" in ran.out


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--n", "0", "Invalid value for '--n': 0 is not in the range x>=1. See certify bounds --help"),
        ("--n", "2.5", "Invalid value for '--n': '2.5' is not a valid integer range. See certify bounds --help"),
        (
            "--radius",
            "nan",
            "Invalid value for '--radius': 'nan' is not a finite number: give a decimal or a fraction. ",
        ),
        (
            "--radius",
            "inf",
            "Invalid value for '--radius': 'inf' is not a finite number: give a decimal or a fraction. ",
        ),
        (
            "--norm-a",
            "1/0",
            "Invalid value for '--norm-a': '1/0' is not a finite number: give a decimal or a fraction. ",
        ),
        ("--norm-v", "-1", "Invalid value for '--norm-v': -1 is below 0. See certify bounds --help"),
    ],
)
def test_unusable_numbers(run: Run, option: str, value: str, message: str) -> None:
    given = {"--n": "3", "--norm-a": "1", "--norm-v": "1", "--radius": "1", option: value}
    ran = run("bounds", *(part for pair in given.items() for part in pair))
    assert_refused(ran, message if message.endswith("--help") else f"{message}See certify bounds --help")


def test_more_that_is_known_of_the_scores_brings_more_theorems(run: Run) -> None:
    plain = run("bounds", "--n", 128, *NORMS).out
    more = run("bounds", "--n", 128, *NORMS, "--contrast", "3", "--positive-scores").out
    new = [line for line in more.splitlines() if line not in plain.splitlines()]
    assert [line.split()[2] for line in new] == ["compact-positive-scores", "compact-contrast"]
    causal = run("bounds", "--n", 128, *NORMS, "--contrast", "3", "--positive-scores", "--causal").out
    assert "contrast" not in causal
    assert "positive" not in causal
