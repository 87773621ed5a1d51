"""Errors of the symbolic half; LookupError and ValueError rather than KeyError, whose text prints in quotes."""


class UnknownTheorem(LookupError):
    """No theorem has that id; the message names the nearest ones."""


class UnknownSymbol(LookupError):
    """No symbol of the notation has that name; the message names the nearest ones."""


class TheoremDataError(ValueError):
    """A theorem's data contradicts itself: an unknown symbol, word or example."""


class EvaluationError(ValueError):
    """An expression cannot be evaluated: a value is missing, unusable or below the least value of its symbol."""


class UnknownVariant(LookupError):
    """No attention variant has that id; the message names the nearest ones."""


class VariantDataError(ValueError):
    """A variant's data contradicts itself: an unknown letter, a free index, or a letter defined twice."""


class NotDifferentiable(ValueError):
    """The table of rules has none for a node of a map."""
