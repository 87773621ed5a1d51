"""A proof as LaTeX: the letters, then the numbered steps, each with what stands behind it."""

from .facts import StandardFact
from .outcome import Outcome
from .proof import Proof
from .steps import Cites, Fact, Identity, Step

Ran = list[tuple[Step, Outcome]]


def proof_environment(proof: Proof, ran: Ran) -> str:
    """`\\begin{proof}` with the definitions, and one item for each step and its outcome."""
    letters = (rf"\item {definition};" for definition in proof.definitions)
    steps = (rf"\item {step.text} {_behind(step, outcome)}" for step, outcome in ran)
    return "\n".join(
        (
            r"\begin{proof}",
            *((r"Letters:", r"\begin{itemize}", *letters, r"\end{itemize}") if proof.definitions else ()),
            r"\begin{enumerate}",
            *steps,
            r"\end{enumerate}",
            r"\leavevmode",
            "\\end{proof}\n",
        )
    )


def fact_item(fact: StandardFact) -> str:
    """One entry of the list of standard facts."""
    needs = f" Hypotheses: {', '.join(fact.hypotheses)}." if fact.hypotheses else ""
    return rf"\item[\textbf{{{_dashed(fact.name)}}}] {fact.says}.{needs}"


def _behind(step: Step, outcome: Outcome) -> str:
    if not outcome.holds:
        return rf"\verdict{{\textbf{{{outcome.word.upper()}}}: {_plain(outcome.detail)}}}"
    if isinstance(step, Fact):
        letters = ", ".join(f"{_letter(name)} = {value}" for name, value in step.letters.items())
        because = "".join(f"; {name}: {reason}" for name, reason in step.because.items())
        return rf"\verdict{{{_dashed(step.fact.name)}, {letters}{because}}}"
    if isinstance(step, Cites):
        return rf"\verdict{{Theorem~\ref{{thm:{step.theorem_id}}}}}"
    if isinstance(step, Identity):
        return rf"\verdict{{identity, verified for {_plain(step.sizes)}}}"
    if outcome.word == "proved":
        return rf"\verdict{{inequality, proved in ball arithmetic on its whole domain: {_plain(outcome.detail)}}}"
    return rf"\verdict{{verified: {_plain(outcome.detail)}}}"


def _letter(name: str) -> str:
    """A letter in math mode; a word as it is."""
    return name if name.isalpha() and len(name) > 1 else f"${name}$"


def _dashed(name: str) -> str:
    return name.replace("Cauchy-Schwarz", "Cauchy--Schwarz")


def _plain(text: str) -> str:
    """Text without markup of its own."""
    for special in "&%$#_{}":
        text = text.replace(special, rf"\{special}")
    return text.replace("^", r"\^{}").replace("<", r"$<$").replace(">", r"$>$")
