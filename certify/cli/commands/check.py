"""`certify check`: the independent checker, with a demo model's name allowed for its weights."""

import sys

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
    With --weights they are proved too; only deflation, which the standard library is too slow for, is run again by the
    code that wrote the certificate, and the last line says so.
    """
    from ...checker.check import main

    if weights is None:
        return main([certificate])
    status = main([certificate, "--weights", _place(weights)])
    return status if status != 0 else _run_again(certificate, weights)


def _run_again(certificate: str, weights: str) -> int:
    from ...certificate import load
    from ...errors import CertificateError
    from ...rerun import rerun

    try:
        count = rerun(load(certificate), weights)
    except CertificateError as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    if count:
        print(f"run again from the weights by the code that wrote it, not independently: {count} deflation bounds")
    return 0


def _place(weights: str) -> str:
    from ...loaders.demo_models import MODELS, demo_folder

    return str(demo_folder(weights)) if weights in MODELS else weights


COMMAND = check_command
