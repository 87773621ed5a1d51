"""`certify check`: the independent checker, with a demo model's name allowed for its weights."""

import click


@click.command("check")
@click.argument("certificate", metavar="CERT")
@click.option(
    "--weights", metavar="MODEL", help="The model's folder or safetensors file, or a demo model: prove its norms too."
)
def check_command(certificate: str, weights: str | None) -> int:
    """Prove a certificate again, with the standard library only.

    Exit status 0 only if every claim was derived again; 1 if the certificate is refused; 2 if a file cannot be read.
    Without --weights the norms and local quantities that the claims rest on are taken as the certificate gives them.
    """
    from ...checker.check import main

    place = [] if weights is None else ["--weights", _place(weights)]
    return main([certificate, *place])


def _place(weights: str) -> str:
    from ...loaders.demo_models import MODELS, demo_folder

    return str(demo_folder(weights)) if weights in MODELS else weights


COMMAND = check_command
