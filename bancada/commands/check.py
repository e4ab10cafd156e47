"""`bancada check`: is it right?"""

from __future__ import annotations

import sys

import click

from bancada.commands.language import say
from bancada.model.status import Status

EXIT_NOT_CONFORMANT = 1
_WITHOUT_VECTORS = {
    Status.NOT_OFFERED: "NOT OFFERED",
    Status.DOES_NOT_BUILD: "DOES NOT BUILD",
    Status.DOES_NOT_FIT: "DOES NOT FIT",
    Status.FAILED: "NO ANSWER",
}


@click.command()
@click.argument("candidate")
@click.option("--target", default="uno", show_default=True)
@click.option("--optimisation", default="-Os", show_default=True, help="The compiler's level.")
@click.option(
    "--compiler",
    "compilers",
    multiple=True,
    help="Instead of the target's own: a name, a path, or all; may be repeated.",
)
@click.option("--full", is_flag=True, help="Monte-Carlo tests whole.")
def check(candidate: str, target: str, optimisation: str, compilers: tuple[str, ...], full: bool) -> None:
    """Run the official vectors of a candidate on a device, and measure nothing. Exit 1 if one fails.

    Example: bancada check mycipher --target uno
    """
    from bancada.measure.check import check as judge
    from bancada.measure.laboratory import open_laboratory

    wrong = False
    for checked in judge(open_laboratory(), candidate, target, optimisation, full, compilers):
        tested = checked.tested
        if tested is None:
            said = f"{_WITHOUT_VECTORS.get(checked.status, str(checked.status))}: {checked.reason}"
        elif checked.status is Status.OK:
            said = f"right, {tested.passed} of {tested.total} vectors"
        else:
            said = f"WRONG, {tested.passed} of {tested.total} vectors\n  {checked.reason}"
        say(f"{checked.implementation} on {target}: {said}")
        wrong |= checked.status is not Status.OK
    if wrong:
        sys.exit(EXIT_NOT_CONFORMANT)
