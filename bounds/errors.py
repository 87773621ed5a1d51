"""Errors of the symbolic half."""


class UnknownTheorem(LookupError):
    """No theorem has that id; the message names the nearest ones."""


class TheoremDataError(ValueError):
    """A theorem's data contradicts itself: an unknown symbol, word or example."""
