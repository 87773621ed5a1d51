"""The published mean-field theorem on the same ball: no token count, an exponential of the radius."""

from ..ball_inputs import ball_inputs
from ..method import Method

METHOD = Method(theorem="mean-field-published", domain="ball", inputs=ball_inputs)
