"""`bancada gem5`: a second opinion."""

from __future__ import annotations

from pathlib import Path

import click

from bancada.commands.language import say
from bancada.commands.options import Finite
from bancada.engines.gem5.program import MODELS, run_gem5


@click.command()
@click.argument("elf", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1)
@click.option("--model", type=click.Choice(MODELS), required=True, help="gem5's model of a core.")
@click.option("--clock-mhz", type=Finite(0, min_open=True), required=True)
@click.option("--limit-seconds", type=Finite(0, min_open=True), default=3600.0, show_default=True)
def gem5(elf: Path, arguments: tuple[str, ...], model: str, clock_mhz: float, limit_seconds: float) -> None:
    """Run a static Linux program in gem5, if you have it: a second opinion on a whole program.

    Example: bancada gem5 program.elf --model ex5_big --clock-mhz 1400
    """
    found = run_gem5(elf, model, round(clock_mhz * 1e6), arguments, limit_seconds)
    say(f"{elf.name} in gem5's {model} at {clock_mhz:g} MHz, the whole program:")
    say(f"  cycles        {found.cycles}")
    say(f"  instructions  {found.instructions}")
    say(f"  time          {found.time_us:.6g} µs")
