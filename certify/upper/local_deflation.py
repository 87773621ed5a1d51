"""Deflation and Gram blocks for one head: its norm to many digits."""

from ..attention_layer import JacobianProducts
from ..gram.attention_map import AttentionMap
from ..gram.deflation import deflate
from ..gram.rounded_rows import rounded_rows
from ..method import Enclosed, Method
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """deflated_norm and distance for the leading directions of the head."""
    products = JacobianProducts(situation.layer, situation.X)
    J = AttentionMap(rounded_rows(situation.activations))
    return deflate(J, products, lambda f, tokens: [f(i) for i in tokens]).enclosed()


METHOD = Method(theorem="local-deflation", domain="point", enclosed=enclosed, tier="tight")
