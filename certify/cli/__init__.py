"""The command `certify`."""

from .main import main

__all__ = ["main"]
