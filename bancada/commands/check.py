"""`bancada check`: is it right?"""

from __future__ import annotations

import sys

import click

from bancada.records import Status

EXIT_NOT_CONFORMANT = 1


@click.command()
@click.argument("candidate")
@click.option("--target", default="uno", show_default=True)
@click.option("--optimisation", default="-Os", show_default=True, help="The compiler's level.")
@click.option("--full", is_flag=True, help="Monte-Carlo tests whole.")
def check(candidate: str, target: str, optimisation: str, full: bool) -> None:
    """Run the official vectors of a candidate on a device, and measure nothing. Exit 1 if one fails.

    Example: bancada check mycipher --target uno
    """
    from bancada.check import check as judge

    wrong = False
    for checked in judge(candidate, target, optimisation, full):
        tested = checked.tested
        vectors = f"{tested.passed} of {tested.total} vectors" if tested else str(checked.status)
        ending = "" if checked.status is Status.OK else f"; {checked.reason}"
        mark = "right" if checked.status is Status.OK else "WRONG" if tested else "no answer"
        click.echo(f"{checked.implementation} on {target}: {mark}, {vectors}{ending}")
        wrong |= checked.status is not Status.OK
    if wrong:
        sys.exit(EXIT_NOT_CONFORMANT)
