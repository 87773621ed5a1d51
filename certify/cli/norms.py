"""The norms of a head as options: what `certify bounds` and the table of `certify latex` are about."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click


class NonNegative(click.ParamType):
    """A decimal number or fraction of at least 0, taken exactly."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a finite number: give a decimal or a fraction.", param, ctx)
        if number < 0:
            self.fail(f"{value} is below 0.", param, ctx)
        return number


def norm_options(*, required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """--n, --norm-a, --norm-v and --radius, which may be required, and what more may be known of the scores."""
    number = NonNegative()
    options = (
        click.option("--n", type=click.IntRange(1), required=required, help="How many tokens."),
        click.option("--norm-a", type=number, required=required, help="Spectral norm of A = K^T Q / sqrt(k)."),
        click.option("--norm-v", type=number, required=required, help="Spectral norm of the value map."),
        click.option("--radius", type=number, required=required, help="Every token has at most this norm."),
        click.option(
            "--norm-query-bias", type=number, default="0", show_default=True, help="Norm of a = K^T b_Q / sqrt(k)."
        ),
        click.option("--contrast", type=number, help="At least the largest <A m + a, z - m> over |m|, |z| <= radius."),
        click.option("--positive-scores", "positive", is_flag=True, help="A is symmetric and positive semidefinite."),
        click.option("--causal", is_flag=True, help="Token i attends to the tokens 1 to i only."),
    )

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate
