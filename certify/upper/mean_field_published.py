"""The published mean-field theorem on the same ball: no token count, an exponential of the radius."""

from ..method import Method
from ..on_ball import on_ball

METHOD = Method(theorem="mean-field-published", domain="ball", enclosed=on_ball)
