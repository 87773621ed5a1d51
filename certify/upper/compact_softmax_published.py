"""The published compact-set theorem on the same ball: a worst case over all tokens of that norm."""

from ..ball_inputs import ball_inputs
from ..method import Method

METHOD = Method(theorem="compact-softmax-published", domain="ball", inputs=ball_inputs)
