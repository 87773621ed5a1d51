"""The compact-set theorem on the smallest centred ball that holds the input's tokens."""

from ..method import Method
from ..on_ball import on_ball

METHOD = Method(theorem="compact-softmax", domain="ball", enclosed=on_ball)
