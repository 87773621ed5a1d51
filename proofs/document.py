"""All statements and proofs as one LaTeX document, with the outcome of every step as it was just run."""

from collections.abc import Mapping

import bounds
from bounds.theorem import DOMAINS

from .bibliography import bibliography
from .facts import StandardFact
from .proof import Proof
from .record import open_in
from .steps import Fact
from .text import Ran, fact_item, proof_environment

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,amsthm,booktabs,enumitem,graphicx,longtable,microtype}
\usepackage[hidelinks]{hyperref}
\newtheorem{theorem}{Theorem}
\newcommand{\verdict}[1]{{\small\textit{[#1]}}}
\setlist{itemsep=2pt,topsep=3pt}
\emergencystretch=2em
\allowdisplaybreaks
\title{Bounds on the Lipschitz constant of attention:\\ statements and proofs}
\author{attention-bounds}
\date{}
"""

INTRODUCTION = r"""Every theorem below is a record of the package, and its formula is the expression that the
package evaluates. Every proof is a list of steps that run. After each step stands what it rests on: an \emph{identity}
is verified by computer algebra, written out entry by entry for the sizes given (each is a sum over tokens and
coordinates in which all of them play the same part); an \emph{inequality} between scalars is proved by branch and bound
in ball arithmetic on its whole domain, unbounded ones included; a \emph{standard fact}, stated in the last section, is
used with the letters and hypotheses written beside it; and a theorem may be cited. A step that is open says so in bold.
"""


TABLE_HEAD = r"""\begin{longtable}{rp{64mm}p{57mm}l}
\toprule
 & theorem & id & proof \\
\midrule
\endhead"""
TABLE_FOOT = r"""\bottomrule
\end{longtable}"""


TIGHTNESS = r"""\section*{How tight the closed forms are}
For one unmasked softmax head on $n$ tokens of $\mathbb{R}^d$, $d \ge 2$, with $|x_i| \le R$, let $L(n, \rho)$
be the largest Lipschitz constant among all heads with $R^2 \|A\| \le \rho$, $\|V\| \le 1$ and no query bias.
The least of the compact bounds (for softmax attention, for few tokens, for many tokens) is at most the number
in the table times $L(n, \rho)$, on each band as a whole: cells of token counts and of $\rho$ fill the bands,
and on each cell the bound is enclosed from above at the largest $\rho$ and the Jacobian of one explicit head
from below at the least, in ball arithmetic. Where $n$ has no end the bound is the one for many tokens, so that
the last column is also about the mean-field limit.
"""


def tightness_section(table: str, picture: str) -> str:
    """What is proved about the distance of the closed forms from the best constant: a table and a picture's file."""
    shown = (r"\begin{center}", r"\small\setlength{\tabcolsep}{4.5pt}", table, r"\end{center}", r"\begin{center}")
    return "\n".join((TIGHTNESS, *shown, rf"\includegraphics{{{picture}}}", "\\end{center}\n"))


def document(proofs: Mapping[str, Proof], tightness: str = "") -> str:
    """The whole document, with a section on tightness if one is given; every proof is run for it."""
    theorems = _ordered()
    ran = {proof.theorem: list(proof.run()) for proof in proofs.values()}
    sources = list(dict.fromkeys(theorem.source for theorem in theorems if theorem.source != "new"))
    return "\n".join(
        (
            PREAMBLE,
            r"\begin{document}",
            r"\maketitle",
            INTRODUCTION,
            _overview(proofs),
            *(_section(theorem, proofs.get(theorem.id), ran) for theorem in theorems),
            tightness,
            r"\section*{Standard facts}",
            r"\begin{description}",
            *(fact_item(fact) for fact in _facts(proofs)),
            r"\end{description}",
            bibliography(sources),
            "\\end{document}\n",
        )
    )


def _overview(proofs: Mapping[str, Proof]) -> str:
    rows = (
        rf"\ref{{thm:{theorem.id}}} & {theorem.title} & \texttt{{{theorem.id}}} & {_status(theorem.id, proofs)} \\"
        for theorem in _ordered()
    )
    return "\n".join((TABLE_HEAD, *rows, TABLE_FOOT))


def _ordered() -> list[bounds.Theorem]:
    """Bounds at a point first, for the others rest on them."""
    return sorted(bounds.theorems(), key=lambda theorem: (DOMAINS.index(theorem.domain), theorem.id))


def _status(theorem_id: str, proofs: Mapping[str, Proof]) -> str:
    return r"\textbf{open}" if open_in(theorem_id, proofs) else "complete"


def _section(theorem: bounds.Theorem, proof: Proof | None, ran: Mapping[str, Ran]) -> str:
    below = r"\textbf{There is no proof yet.}" if proof is None else proof_environment(proof, ran[proof.theorem])
    return f"\\section*{{{theorem.title}}}\n{theorem.latex()}\n{below}"


def _facts(proofs: Mapping[str, Proof]) -> list[StandardFact]:
    used = {step.fact for proof in proofs.values() for step in proof.steps if isinstance(step, Fact)}
    return sorted(used, key=lambda fact: fact.name.lower())
