"""The compact-set theorem on the smallest centred ball that holds the input's tokens."""

from ..ball_inputs import ball_inputs
from ..method import Method

METHOD = Method(theorem="compact-softmax", domain="ball", inputs=ball_inputs)
