"""The shelf of subcommands: every file holds one COMMAND; heavy imports stay inside its function."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import click


@cache
def commands() -> dict[str, click.Command]:
    """Every subcommand by name, in alphabetical order."""
    names = sorted(info.name for info in iter_modules(__path__))
    found: list[click.Command] = [import_module(f"{__name__}.{name}").COMMAND for name in names]
    return {command.name or "": command for command in found}
