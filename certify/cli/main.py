"""The entry of the command: every failure becomes one line on stderr and an exit status.

0: done. 1: no bound can be given, or a certificate is refused. 2: unusable input. 130: interrupted.
"""

import sys
from collections.abc import Sequence

import click

from bounds.errors import EvaluationError, UnknownSymbol, UnknownTheorem, UnknownVariant

from ..errors import AttentionBoundsError, NoEnclosure
from .commands import commands

NO_BOUND, UNUSABLE, INTERRUPTED = 1, 2, 130
HELP = """Proved bounds on how much attention can amplify a change of its input.

Every number is shown with its guarantee: proved, probable, witness or estimate."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns its exit status."""
    group = click.Group("certify", commands=commands(), help=HELP, no_args_is_help=False)
    group = click.version_option(package_name="attention-bounds")(group)
    try:
        status = group.main(arguments, prog_name="certify", standalone_mode=False)
    except click.UsageError as error:
        command = "certify" if error.ctx is None else error.ctx.command_path
        return _fail(f"{error.format_message()} See {command} --help")
    except click.ClickException as error:
        return _fail(error.format_message())
    except NoEnclosure as error:
        return _fail(f"no bound: {error}", NO_BOUND)
    except (AttentionBoundsError, EvaluationError, UnknownSymbol, UnknownTheorem, UnknownVariant) as error:
        return _fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        print("certify: interrupted, nothing was written", file=sys.stderr)
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int = UNUSABLE) -> int:
    print(f"certify: {' '.join(message.split())}", file=sys.stderr)
    return status
