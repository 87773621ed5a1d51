"""The independent checker: re-derives what a certificate claims, with the standard library only.

It imports nothing outside this folder, so that one reader can audit it alone; its only outside data are the
theorems' terms in `theorem_terms.json` beside it. Every number is an integer or a fraction with a counted error; no
floating-point operation is trusted.
"""

from .check import check, main
from .report import Refused, Report, Unreadable

__all__ = ["Refused", "Report", "Unreadable", "check", "main"]
