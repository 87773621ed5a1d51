"""The entries of references.bib as a thebibliography, so that one program, pdflatex, is enough."""

import re

from bounds.latex import references

_FIELD = re.compile(r"^\s*(\w+) = \{(.*)\},?$", re.MULTILINE)


def bibliography(keys: list[str]) -> str:
    """`\\begin{thebibliography}` with the sources of these keys, in this order."""
    known = references()
    items = (f"\\bibitem{{{key}}} {_item(dict(_FIELD.findall(known[key])))}" for key in keys)
    return "\n".join((r"\begin{thebibliography}{9}", *items, "\\end{thebibliography}\n"))


def _item(fields: dict[str, str]) -> str:
    authors = [" ".join(reversed(name.split(", "))) for name in fields["author"].split(" and ")]
    venue = f"\\emph{{{fields['booktitle']}}}, " if "booktitle" in fields else ""
    eprint = f". arXiv:{fields['eprint']}" if "eprint" in fields else ""
    return f"{', '.join(authors)}. {fields['title']}. {venue}{fields['year']}{eprint}."
