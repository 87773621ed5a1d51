"""The published compact-set theorem on the same ball: a worst case over all tokens of that norm."""

from ..method import Method
from ..on_ball import on_ball

METHOD = Method(theorem="compact-softmax-published", domain="ball", enclosed=on_ball)
