"""Every bad input: exit status 2 and one line that names the thing and the mend."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.certify.cli.runs import Run, assert_refused
from tests.certify.loaders.accepted import ACCEPTED
from tests.certify.tiny_bert import POSITIONS, WIDTH, write_bert


def test_no_such_model(run: Run) -> None:
    assert_refused(
        run("layer", "nowhere/model"),
        f"no model nowhere/model: neither a file or folder nor the name of a demo model; {ACCEPTED}",
    )


def test_a_folder_without_config(run: Run, bert: Path) -> None:
    (bert / "config.json").unlink()
    assert_refused(run("layer", bert), f"no config.json in {bert}: it says what kind of model the weights are")


def test_a_model_of_another_kind_by_name(run: Run, tmp_path: Path) -> None:
    folder = write_bert(tmp_path, model_type="gpt2", architectures=["GPT2Model"])
    message = f"{folder} holds a model of type gpt2 (GPT2Model), which is not supported: {ACCEPTED}"
    assert_refused(run("layer", folder), message)


def test_no_such_layer(run: Run, bert: Path) -> None:
    assert_refused(run("layer", bert, "--layer", 2), f"layer 2 does not exist: {bert} has layers 0 to 1")


def test_no_such_head(run: Run, bert: Path, text: Path) -> None:
    ran = run("layer", bert, "--head", 3, "--text", text, "--tokens", 4)
    assert_refused(ran, f"head 3 does not exist: {bert} has heads 0 to 2")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_not_finite(run: Run, tmp_path: Path, bad: float) -> None:
    name = "encoder.layer.0.attention.self.query.weight"
    folder = write_bert(tmp_path, change=lambda arrays: arrays[name].put(3, bad))
    message = f"tensor {name} in {folder / 'model.safetensors'} holds nan or infinity: nothing can be proved about it"
    assert_refused(run("layer", folder), message)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_input_that_is_not_finite(run: Run, bert: Path, tmp_path: Path, bad: float) -> None:
    X = np.zeros((3, WIDTH))
    X[1, 2] = bad
    np.save(tmp_path / "X.npy", X)
    message = f"the input is {bad} at token 1, entry 2: every entry must be finite"
    assert_refused(run("layer", bert, "--input", tmp_path / "X.npy"), message)


def test_an_input_of_another_shape(run: Run, bert: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "X.npy", np.zeros((3, WIDTH + 1)))
    message = "the input has shape (3, 13): this layer takes (n, 12) with n >= 1"
    assert_refused(run("layer", bert, "--input", tmp_path / "X.npy"), message)


def test_an_input_beside_a_text(run: Run, bert: Path, tmp_path: Path) -> None:
    message = "--input gives the layer's input itself: leave out --text and --tokens"
    assert_refused(run("layer", bert, "--input", tmp_path / "X.npy", "--tokens", 3), message)


def test_more_tokens_than_positions(run: Run, bert: Path, text: Path) -> None:
    message = f"{POSITIONS + 1} tokens asked for, the model has {POSITIONS} positions: ask for at most {POSITIONS}"
    assert_refused(run("layer", bert, "--text", text, "--tokens", POSITIONS + 1), message)


@pytest.mark.parametrize("tokens", [0, -1])
def test_fewer_tokens_than_one(run: Run, bert: Path, text: Path, tokens: int) -> None:
    message = f"{tokens} tokens asked for: at least 1 is needed"
    assert_refused(run("layer", bert, "--text", text, "--tokens", tokens), message)


@pytest.mark.parametrize("content", ["", " \n\t"])
def test_an_empty_text(run: Run, bert: Path, text: Path, content: str) -> None:
    text.write_text(content)
    message = f"the text {text} is empty: give one with at least one word"
    assert_refused(run("layer", bert, "--text", text), message)


def test_a_text_that_is_missing(run: Run, bert: Path, tmp_path: Path) -> None:
    message = f"cannot read the text {tmp_path / 'none.txt'}: No such file or directory"
    assert_refused(run("layer", bert, "--text", tmp_path / "none.txt"), message)


@pytest.mark.parametrize("option", ["--json", "--save", "--plot"])
def test_an_output_in_no_folder(run: Run, bert: Path, tmp_path: Path, option: str) -> None:
    place = tmp_path / "none" / "out.svg"
    message = f"cannot write {place}: there is no folder {place.parent}; choose another place"
    assert_refused(run("layer", bert, option, place), message)


def test_an_output_that_is_a_folder(run: Run, bert: Path, tmp_path: Path) -> None:
    message = f"cannot write {tmp_path}: it is a folder; choose another place"
    assert_refused(run("layer", bert, "--save", tmp_path), message)


def test_a_picture_of_unknown_format(run: Run, bert: Path, tmp_path: Path) -> None:
    place = tmp_path / "picture.gif"
    message = f"cannot draw {place}: the file's name must end in .svg, .pdf, .png"
    assert_refused(run("layer", bert, "--plot", place), message)


def test_unknown_commands_and_options(run: Run) -> None:
    assert_refused(run("prove"), "No such command 'prove'. See certify --help")
    assert_refused(run("layer"), "Missing argument 'MODEL'. See certify layer --help")
    ran = run("latex", "compact-sofmax")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("certify: no theorem 'compact-sofmax': did you mean compact-softmax, ")
    assert ran.err.count("\n") == 1


def test_a_certificate_that_is_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"schema": "another"}))
    ran = run("check", path)
    assert ran.status in (1, 2)
    assert ran.out == ""
    assert ran.err.count("\n") == 1


def test_a_certificate_of_random_numbers(run: Run, bert: Path, text: Path, tmp_path: Path) -> None:
    message = "a probable bound cannot be proved again, so no certificate is saved: take another tier, or --json"
    assert_refused(run("layer", bert, "--text", text, "--tier", "probable", "--save", tmp_path / "c"), message)


def test_a_failure_probability_of_one(run: Run, bert: Path, text: Path) -> None:
    message = "the failure probability is 1.0: give one between 1e-300 and 1, such as 1e-12"
    assert_refused(run("layer", bert, "--text", text, "--tier", "probable", "--failure", 1), message)


def test_more_outputs_than_the_exact_tier_takes(run: Run, bert: Path, text: Path, monkeypatch) -> None:
    monkeypatch.setattr("certify.gram.dense.LARGEST", 50)
    message = (
        "the exact tier takes at most 50 outputs, 5 tokens of size 12 are 60: ask for fewer tokens, or for --tier tight"
    )
    assert_refused(run("layer", bert, "--text", text, "--tokens", 5, "--tier", "exact"), message)
