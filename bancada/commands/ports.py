"""`bancada ports`: where is the board?"""

from __future__ import annotations

import click

from bancada.commands.language import say


@click.command()
def ports() -> None:
    """List the serial ports of this machine, one of which --port takes.

    Example: bancada ports
    """
    from bancada.engines.board.port import ports as find

    found = find()
    for port in found:
        say(f"{port.path}  {port.title}{f'  ({port.identity})' if port.identity else ''}")
    if not found:
        say("There is no serial port. A board's appears when its cable is in; some cables only charge.")
