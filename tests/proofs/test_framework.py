"""What a proof may look like, what is open, and what the command says and returns."""

import pytest
import sympy as sp

import bounds
from proofs import __main__ as command
from proofs.facts import TRIANGLE
from proofs.proof import Proof
from proofs.record import open_in
from proofs.steps import Cites, Concludes, Fact, Identity, Open

x = sp.Symbol("x", real=True)
EXPR = bounds.theorem("heads-added").expr
END = Concludes("So it is.", bound=EXPR)


def proof(*steps: Cites | Concludes | Fact | Identity | Open, theorem: str = "heads-added") -> Proof:
    return Proof(theorem, definitions=(), steps=steps)


@pytest.mark.parametrize("steps", [(), (Fact("", TRIANGLE, {}),), (END, Fact("", TRIANGLE, {}))])
def test_a_proof_has_to_end(steps: tuple[Fact | Concludes, ...]) -> None:
    with pytest.raises(ValueError, match="heads-added: the last step concludes, or says what is open"):
        proof(*steps)


def test_an_open_step_never_holds() -> None:
    unfinished = proof(Open("The general case."), END)
    assert [outcome.word for _, outcome in unfinished.run()] == ["open", "verified"]
    assert not command.run(unfinished)


def test_what_is_open_is_inherited_by_those_who_cite() -> None:
    first = proof(Open("The general case."), END)
    second = proof(Cites("See above.", "heads-added"), END, theorem="heads-joined")
    proofs = {"heads-added": first, "heads-joined": second}
    assert open_in("heads-joined", proofs) == ["The general case."]
    assert open_in("heads-joined", {"heads-joined": second}) == ["heads-added has no proof"]
    assert open_in("heads-joined", {**proofs, "heads-added": proof(END)}) == []


def test_a_circle_is_open() -> None:
    first = proof(Cites("", "heads-joined"), END)
    second = proof(Cites("", "heads-added"), END, theorem="heads-joined")
    proofs = {"heads-added": first, "heads-joined": second}
    assert open_in("heads-added", proofs) == ["the proof goes in a circle: heads-added -> heads-joined -> heads-added"]


def test_matrices_of_different_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        Identity("", sp.ones(2, 1), sp.ones(1, 2), "").run(bounds.theorem("heads-added"))


def test_the_command_prints_every_step_and_returns_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["heads-added"]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[:3] for line in printed.splitlines()[1:4]] == [
        ["1", "Identity", "verified"],
        ["2", "Fact", "standard"],
        ["3", "Concludes", "verified"],
    ]
    assert "all steps hold" in printed


def test_the_command_returns_one_where_a_step_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = proof(Identity("", x, x + 1, "all"), END)
    monkeypatch.setattr(command, "shelf", lambda: {"heads-added": broken})
    assert command.main(["heads-added"]) == 1
    printed = capsys.readouterr().out
    assert "1 Identity    FAILED" in printed
    assert "NOT PROVED" in printed


def test_the_command_names_theorems_without_a_proof(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "shelf", lambda: {"heads-added": proof(END)})
    assert command.main([]) == 1
    assert "heads-joined\n     OPEN: no proof here" in capsys.readouterr().out
    assert command.main(["nothing"]) == 2
