"""The whole Gram matrix of one head: the second opinion on deflation."""

from ..attention_layer import JacobianProducts
from ..gram.attention_map import AttentionMap
from ..gram.dense import dense
from ..gram.rounded_rows import rounded_rows
from ..method import Enclosed, Method
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """deflated_norm and distance, with nothing deflated."""
    products = JacobianProducts(situation.layer, situation.X)
    J = AttentionMap(rounded_rows(situation.activations))
    return dense(J, products, lambda f, tokens: [f(i) for i in tokens]).enclosed()


METHOD = Method(theorem="local-deflation", domain="point", enclosed=enclosed, tier="exact")
