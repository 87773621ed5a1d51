"""The whole Gram matrix of one head: the second opinion on deflation."""

from ..gram.dense import dense
from ..gram.rounded_rows import rounded_rows
from ..method import Enclosed, Method
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """deflated_norm and distance, with nothing deflated."""
    activations = situation.activations
    return dense(rounded_rows(activations), activations, lambda f, tokens: [f(i) for i in tokens]).enclosed()


METHOD = Method(theorem="local-deflation", domain="point", enclosed=enclosed, tier="exact")
