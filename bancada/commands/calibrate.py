"""`bancada calibrate`: does the board count what the simulator counts?"""

from __future__ import annotations

import sys

import click

from bancada.commands.language import say

EXIT_DIFFERENT = 1

# The timer counts the clock that executes the instructions (ATmega328P data sheet, 16: no prescaling) and is read at a
# fixed instruction. So a difference of one cycle is visible, and nothing is rounded.
_ALLOWED_CYCLES = 0

# Columns: the longest name of the fixed set, and two spans of six digits.
_NAME_WIDTH = 42
_SPAN_WIDTH = 18
_DIFFERENCE_WIDTH = 12


@click.command()
@click.option("--target", default="uno", show_default=True)
@click.option("--port", required=True, help="The board's serial port: /dev/ttyACM0 (bancada ports lists them).")
def calibrate(target: str, port: str) -> None:
    """Measure a fixed set of operations on a board and in the simulator, and compare. Exit 1 if a single cycle differs.

    Example: bancada calibrate --target uno --port /dev/ttyACM0
    """
    from bancada.calibrate.calibrate import calibrate as compare
    from bancada.measure.laboratory import open_laboratory

    different = inputs = 0
    laboratory = open_laboratory()
    for found in compare(laboratory, laboratory.target(target), port):
        if not inputs:
            say(f"{target} on {port}: cycles, the same inputs on both")
            say(_row("operation", "simulated", "measured", "difference"))
        worst = max(found.differences, key=abs)
        different += sum(abs(difference) > _ALLOWED_CYCLES for difference in found.differences)
        inputs += len(found.differences)
        size = f", {found.size_bytes} B" if found.size_bytes else ""
        row = _row(
            f"{found.implementation} {found.operation}{size}",
            _span(found.simulated),
            _span(found.measured),
            f"{worst:+d}" if worst else "0",
        )
        click.secho(row, fg="red" if worst else None)
    if different:
        say(f"{different} of {inputs} calls differ: docs/how-to/your-own-board.md says what to look at.")
        sys.exit(EXIT_DIFFERENT)
    say(f"All {inputs} calls take the same number of cycles on the board and in the simulator.")


def _row(name: str, simulated: str, measured: str, difference: str) -> str:
    return f"{name:<{_NAME_WIDTH}}{simulated:>{_SPAN_WIDTH}}{measured:>{_SPAN_WIDTH}}{difference:>{_DIFFERENCE_WIDTH}}"


def _span(cycles: tuple[int, ...]) -> str:
    least, most = min(cycles), max(cycles)
    return str(least) if least == most else f"{least} to {most}"
