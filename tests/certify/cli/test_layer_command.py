"""`certify layer` end to end on a BERT of a few kilobytes: what it prints, writes and returns."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import certify
from certify.certificate import load
from tests.certify.cli.runs import Run
from tests.certify.tiny_bert import HEADS, WIDTH


def test_it_prints_every_head_the_whole_map_and_the_guarantees(run: Run, bert: Path, text: Path) -> None:
    ran = run("layer", bert, "--layer", 1, "--text", text, "--tokens", 6)
    assert (ran.status, ran.err) == (0, "")
    for row in (*(f"head {head}" for head in range(HEADS)), "whole"):
        assert re.search(
            rf"^{row} +[\d.e+]+ +[\d.e+]+ +(1 \+ )?[\d.e+-]+ +[\d.e+]+ +[\d.e+]+ *$", ran.out, re.MULTILINE
        ), ran.out
    assert ran.out.count("(proved)") == 3
    assert ran.out.count("(witness)") == 1


def test_the_json_on_stdout_is_all_there_is(run: Run, bert: Path, text: Path) -> None:
    ran = run("layer", bert, "--text", text, "--tokens", 6, "--json", "-")
    document = json.loads(ran.out)
    assert (ran.status, document["schema"]) == (0, "attention-bounds/1")
    assert (
        document["object"] | {"model": str(bert), "layer": 0, "heads": HEADS, "n": 6, "d": WIDTH} == document["object"]
    )
    upper, lower = document["upper"], document["lower"]
    assert float.fromhex(upper["hex"]) == upper["value"] >= lower["value"] == float.fromhex(lower["hex"]) > 0
    assert (upper["guarantee"], lower["guarantee"]) == ("proved", "witness")
    assert document["ratio"] >= upper["value"] / lower["value"]
    assert len(document["heads"]) == HEADS


def test_json_and_certificate_as_files_say_the_same(run: Run, bert: Path, text: Path, tmp_path: Path) -> None:
    shown, saved = tmp_path / "bounds.json", tmp_path / "layer.json"
    ran = run("layer", bert, "--text", text, "--tokens", 5, "--json", shown, "--save", saved)
    assert ran.status == 0
    assert f"certify check {saved}" in ran.out
    certificate = load(saved)
    summary = json.loads(shown.read_text())
    assert {key: value for key, value in certificate.items() if key not in ("proof", "digest")} == summary
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bert", "bounds.json", "layer.json", "text.txt"]


def test_the_certificate_is_proved_again_from_the_weights(run: Run, bert: Path, text: Path, tmp_path: Path) -> None:
    saved = tmp_path / "layer.json"
    run("layer", bert, "--text", text, "--tokens", 5, "--save", saved)
    assert run("check", saved).status == 0
    ran = run("check", saved, "--weights", bert)
    assert (ran.status, ran.err) == (0, "")
    assert "proved" in ran.out


def test_one_head_alone(run: Run, bert: Path, text: Path) -> None:
    ran = run("layer", bert, "--head", 2, "--text", text, "--tokens", 5, "--json", "-")
    document = json.loads(ran.out)
    assert document["object"]["head"] == 2
    assert [entry["head"] for entry in document["heads"]] == [2]
    assert document["upper"]["value"] == document["heads"][0]["upper"]["value"]


def test_an_input_array_in_place_of_a_text(run: Run, bert: Path, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(4, WIDTH)).astype(np.float32)
    np.save(tmp_path / "X.npy", X)
    ran = run("layer", bert, "--input", tmp_path / "X.npy", "--json", "-")
    same = certify.layer(str(bert), X)
    assert json.loads(ran.out)["upper"] == same.summary()["upper"]


@pytest.mark.parametrize("tier", ["fast", "tight", "exact"])
def test_all_tiers_agree_on_the_witness(run: Run, bert: Path, text: Path, tier: str) -> None:
    document = json.loads(run("layer", bert, "--text", text, "--tokens", 5, "--tier", tier, "--json", "-").out)
    methods = {candidate["method"] for candidate in document["candidates"]}
    assert "local-schur" in methods
    assert ("local-deflation" in methods) == (tier != "fast")
    assert document["upper"]["value"] >= document["lower"]["value"]


def test_the_tier_probable_tells_its_probability_and_seed(run: Run, bert: Path, text: Path) -> None:
    arguments = ("layer", bert, "--text", text, "--tokens", 5, "--tier", "probable", "--json", "-")
    document = json.loads(run(*arguments, "--failure", 1e-6).out)
    assert document["failure_probability"] == 1e-6
    assert document["upper"]["guarantee"] == "probable"
    assert 1.0 <= document["ratio"] <= 1.02
    again = json.loads(run(*arguments, "--failure", 1e-6, "--seed", document["seed"]).out)
    assert again["upper"] == document["upper"]


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_a_picture_is_the_same_every_time(run: Run, bert: Path, text: Path, tmp_path: Path, ending: str) -> None:
    pictures = [tmp_path / f"{name}.{ending}" for name in ("first", "second")]
    for picture in pictures:
        assert run("layer", bert, "--text", text, "--tokens", 4, "--plot", picture).status == 0
    first, second = (picture.read_bytes() for picture in pictures)
    assert first == second
    assert first.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])


def test_no_upper_bound_exits_with_1_and_the_reason(run: Run, bert: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "X.npy", np.full((3, WIDTH), 1e200))
    ran = run("layer", bert, "--input", tmp_path / "X.npy")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("certify: no bound: ")
    assert ran.err.count("\n") == 1
