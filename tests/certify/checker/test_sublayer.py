"""Certificates of blocks: checked as they stand, their witnesses proved again, every forgery refused."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certify
from certify.certificate import save
from certify.checker import Refused, check
from certify.checker.exact import exact
from certify.checker.fixed import ONE
from certify.checker.softmax import TooCoarse
from certify.checker.sublayer import SublayerAtInput, _inverse_root
from certify.checker.weights import load_layer
from certify.loaders import load
from certify.sublayer.sublayer import KINDS, Kind, Sublayer, SublayerProducts
from certify.sublayer.token_norm import TokenNorm
from tests.certify.checker.mutate import changed, forged, leaves, set_at
from tests.certify.tiny_bert import TEXT, write_bert


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("blocks") / "bert")


def certificate(bert: Path, kind: Kind, centred: bool = True) -> Any:
    own = load(str(bert), 1).block_norm
    assert own is not None
    norm = None if kind == "residual" else TokenNorm(own.gamma, own.beta, own.eps, centred, own.sources)
    return certify.layer(str(bert), layer=1, text=TEXT, tokens=4, block=kind, norm=norm)


@pytest.fixture(scope="module")
def documents(bert: Path) -> dict[str, dict[str, Any]]:
    return {kind: certificate(bert, kind).as_json() for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_accepted_and_its_witness_is_proved_again(kind: Kind, bert: Path, tmp_path: Path) -> None:
    place = certificate(bert, kind).save(tmp_path / "c.json")
    assert check(place).unproved == ("upper", "lower", "candidates[0]", "ratio")
    report = check(place, bert)
    assert "re-proved at the stored input: 1 witnesses" in report.proved
    assert report.unproved == ("upper", "candidates[0]", "ratio")
    assert report.given[0] == "deflated_norm and distance of sublayer/point/sublayer-deflation"
    around = {
        "residual": "in a residual block",
        "post-norm": "in a post-norm block with a layernorm whose eps is 1e-12",
        "pre-norm": "in a pre-norm block with a layernorm whose eps is 1e-12",
    }
    assert report.given[-1].endswith(around[kind])


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_its_products_are_those_of_the_jacobian(kind: Kind, centred: bool, bert: Path) -> None:
    found = certificate(bert, kind, centred)
    sublayer = Sublayer(found.layer, found.around.kind, found.around.norm)
    at = SublayerAtInput(kind, load_layer(found.as_json(), bert), exact(found.X.tolist()))
    E = np.random.default_rng(0).standard_normal(found.X.shape)
    image = at.derivative(exact(E.tolist()))
    values = np.array([[float(Fraction(entry, ONE)) for entry in row] for row in image.rows])
    assert values == pytest.approx(SublayerProducts(sublayer, found.X).jvp(E), abs=1e-9)
    assert Fraction(image.error, ONE) < 1e-15


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_witness_is_refused(kind: Kind, documents: dict[str, Any], bert: Path, tmp_path: Path) -> None:
    def raise_claim(data: dict[str, Any]) -> None:
        claim = data["lower"]["value"] * (1 + 1e-9)
        data["proof"]["witnesses"][0]["claim"] = data["lower"]["hex"] = claim.hex()
        data["lower"]["value"] = claim
        data["upper"]["value"] = data["candidates"][0]["value"] = 2 * claim
        data["upper"]["hex"] = data["candidates"][0]["hex"] = data["proof"]["steps"][0]["claim"] = (2 * claim).hex()
        data["ratio"] = 2.0

    place = save(forged(documents[kind], raise_claim), tmp_path / "c.json")
    check(place)
    with pytest.raises(Refused, match=r"^proof.witnesses\[0\].claim: \|J u\| >= .* was not proved from the weights$"):
        check(place, bert)


def test_another_block_is_refused(documents: dict[str, Any], bert: Path, tmp_path: Path) -> None:
    """A witness that is above the other block's norm is none of its own; each block is renamed as one of the others."""
    norms = {kind: data["lower"]["value"] for kind, data in documents.items()}
    tried = 0
    for kind, other in ((a, b) for a in ("post-norm", "pre-norm") for b in ("post-norm", "pre-norm")):
        if norms[kind] > norms[other]:

            def rename(data: dict[str, Any], other: str = other) -> None:
                data["proof"]["geometry"]["around"]["kind"] = data["object"]["block"] = other

            with pytest.raises(Refused, match=r"was not proved from the weights"):
                check(save(forged(documents[kind], rename), tmp_path / "c.json"), bert)
            tried += 1
    assert tried == 1


def refusals() -> dict[str, tuple[tuple[str | int, ...], Any, str]]:
    around = ("proof", "geometry", "around")
    return {
        "unknown kind": ((*around, "kind"), "parallel", r"^proof.geometry.around.kind: must be one of residual, "),
        "unknown norm": ((*around, "norm"), "batchnorm", r"^proof.geometry.around.norm: must be one of layernorm, "),
        "no norm": ((*around, "norm"), None, r"^proof.geometry.around.norm: None does not fit a post-norm block$"),
        "negative eps": ((*around, "eps"), "-0x1.0p-3", r"^proof.geometry.around.eps: "),
        "other object": (("object", "block"), "residual", r"^object.block: differs from proof.geometry.around$"),
        "a head": (("object", "head"), 0, r"^object.head: is no part of a block$"),
        "a step of a layer": (("proof", "steps", 0, "map"), "layer", r"^proof.steps\[0\].map: "),
        "another theorem": (("proof", "steps", 0, "theorem"), "local-deflation", r"^proof.steps\[0\].map: "),
        "a head's witness": (("proof", "witnesses", 0, "head"), 0, r"^proof.witnesses\[0\].head: head 0 is not what "),
    }


@pytest.mark.parametrize("name", refusals())
def test_refusals(name: str, documents: dict[str, Any], tmp_path: Path) -> None:
    path, value, words = refusals()[name]
    with pytest.raises(Refused, match=words):
        check(save(forged(documents["post-norm"], set_at(path, value)), tmp_path / "c.json"))


def test_a_block_without_what_stands_around_is_refused(documents: dict[str, Any], tmp_path: Path) -> None:
    def drop(data: dict[str, Any]) -> None:
        del data["proof"]["geometry"]["around"]

    with pytest.raises(Refused, match=r"^object.block: differs from proof.geometry.around$"):
        check(save(forged(documents["residual"], drop), tmp_path / "c.json"))

    def drop_both(data: dict[str, Any]) -> None:
        del data["proof"]["geometry"]["around"], data["object"]["block"]

    with pytest.raises(Refused, match=r"^proof.steps\[0\].map: a sublayer is not what this certificate is about$"):
        check(save(forged(documents["residual"], drop_both), tmp_path / "c.json"))


def test_a_norm_that_belongs_to_nothing_is_refused(documents: dict[str, Any], tmp_path: Path) -> None:
    def add(data: dict[str, Any]) -> None:
        data["proof"]["weights"]["block_norm_weight"] = documents["post-norm"]["proof"]["weights"]["block_norm_weight"]

    with pytest.raises(Refused, match=r"object.weights_sha256|belongs to no norm of this certificate"):
        check(save(forged(documents["residual"], add), tmp_path / "c.json"))


FREE = {"method", "reason", "model", "seconds", "lower"}


def test_every_changed_leaf_is_refused_or_says_nothing(documents: dict[str, Any], bert: Path, tmp_path: Path) -> None:
    """One unit in the last place, another text, another hash: refused with the weights, unless nothing rests on it."""
    document = documents["post-norm"]
    place = tmp_path / "c.json"
    for path, value in leaves(document):
        if path == ("digest",) or FREE & {path[-1]} or path in (("object", "layer"),):
            continue
        if path[:2] == ("proof", "steps") and path[-1] in ("upper", "claim"):
            continue  # inputs that no standard library proves: run again by `certify check`
        if path[-1] in ("eps", "masked"):
            continue  # stand in no file of weights, and are told among what is taken as given
        data = forged(document, set_at(path, changed(value)))
        try:
            check(save(data, place), bert)
        except Refused:
            continue
        pytest.fail(f"accepted: {path} = {changed(value)}")


def test_the_inverse_root_encloses() -> None:
    for entry, error, eps in (
        (ONE, 0, Fraction(0)),
        (0, 5, Fraction(1, 10**12)),
        (3 * ONE, 7, Fraction(1, 3)),
        (2, 1, 0),
    ):
        low, high = _inverse_root(entry, error, Fraction(eps))
        for end in (max(entry - error, 0), entry + error):
            value = Fraction(end, ONE) + eps
            assert Fraction(low, ONE) ** 2 * value <= 1 <= Fraction(high, ONE) ** 2 * value
    with pytest.raises(TooCoarse):
        _inverse_root(3, 3, Fraction(0))
