"""`bancada ports`: where is the board?"""

from __future__ import annotations

import click


@click.command()
def ports() -> None:
    """List the serial ports of this machine, one of which --port takes.

    Example: bancada ports
    """
    from bancada.engines.board.port import ports as find

    found = find()
    for port in found:
        click.echo(f"{port.path}  {port.title}{f'  ({port.identity})' if port.identity else ''}")
    if not found:
        click.echo("There is no serial port. A board's appears when its cable is in; some cables only charge.")
