"""What a report shows: every number with its word, rounded outward, and a reason where there is none."""

from dataclasses import replace

import numpy as np
import pytest

import certify
from certify.layer_certificate import LayerCertificate
from certify.outcome import Bound, Guarantee, NoBound
from certify.report.columns import DIGITS, columns, notes, title
from certify.report.html import as_html
from certify.report.table import as_text

torch = pytest.importorskip("torch")


def certificate(gain: float = 1.0) -> LayerCertificate:
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(6, 2, batch_first=True).double()
    return certify.layer(module, gain * np.random.default_rng(0).normal(size=(4, 6)))


def test_a_layer_without_a_norm_has_no_column_for_it() -> None:
    shown = columns(certificate())
    assert [column.heading for column in shown] == ["map", "upper", "lower", "upper/lower", "published"]
    assert [column.guarantee for column in shown] == ["", "proved", "witness", "", "proved"]
    assert list(shown[0].cells) == ["head 0", "head 1", "whole"]
    assert {len(column.cells) for column in shown} == {3}


def test_every_number_is_rounded_outward() -> None:
    found = certificate()
    upper, lower = columns(found)[1:3]
    for raced, above, below in zip([*found.heads, found.whole], upper.cells, lower.cells, strict=True):
        winner = raced.winner
        assert winner is not None
        assert isinstance(winner.bound, Bound)
        assert winner.bound.value <= float(above) <= winner.bound.value * (1 + 10.0 ** (1 - DIGITS))
        value = raced.witness.bound.value
        assert value * (1 - 10.0 ** (1 - DIGITS)) <= float(below) <= value


def test_mixed_guarantees_are_written_in_every_cell() -> None:
    found = certificate()
    first = found.heads[0]
    candidates = tuple(
        replace(c, bound=replace(c.bound, guarantee=Guarantee.PROBABLE)) if isinstance(c.bound, Bound) else c
        for c in first.candidates
    )
    column = columns(replace(found, heads=[replace(first, candidates=candidates), *found.heads[1:]]))[1]
    assert column.guarantee == ""
    assert [cell.split()[1] for cell in column.cells] == ["probable", "proved", "proved"]


def test_a_missing_bound_is_named_with_its_reason() -> None:
    found = certificate()
    first = found.heads[0]
    none = tuple(replace(c, bound=NoBound("upper", c.theorem, "it is too dark")) for c in first.candidates)
    changed = replace(found, heads=[replace(first, candidates=none), *found.heads[1:]])
    assert columns(changed)[1].cells[0] == "no bound"
    assert columns(changed)[3].cells[0] == "-"
    assert any(note.startswith("no bound (head-0)") and "it is too dark" in note for note in notes(changed))


def test_text_and_html_show_every_cell_and_note() -> None:
    found = certificate()
    text, html = as_text(found), as_html(found)
    words = " ".join(text.split())
    for column in columns(found):
        for cell in column.cells:
            assert cell in text
            assert f"<td>{cell}</td>" in html
    for note in notes(found):
        assert note in words
    assert title(found) in text
    assert max(map(len, text.splitlines())) <= 100
    assert found.table() == text
    assert found._repr_html_() == html


def test_html_escapes_the_model_name() -> None:
    found = certificate()
    assert "<b>" not in as_html(replace(found, about={**found.about, "model": "<b>[red]"}))
    assert "[red]" in as_text(replace(found, about={**found.about, "model": "<b>[red]"}))
