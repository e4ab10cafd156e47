"""`bancada prove`: is it right for every input?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from bancada.commands.options import console, json_option, print_json

EXIT_NOT_PROVED = 1


@click.command()
@click.argument("elf", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option(
    "--proofs",
    "proofs_path",
    required=True,
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="A Python file with a function for each proof.",
)
@click.option("--proof", "names", multiple=True, help="Only this one; may be repeated.")
@click.option(
    "--placements",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="At how many places in RAM the buffers lie, one after the other.",
)
@click.option(
    "--limit-seconds",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    help="For the solver, where the normal form does not decide.",
)
@json_option
def prove(
    elf: Path, proofs_path: Path, names: tuple[str, ...], placements: int, limit_seconds: float, as_json: bool
) -> None:
    """Prove that functions of a linked AVR program compute their specification, for every key, message and state.

    It follows the program's instructions with every input bit unknown. So it shows too that no branch depends on a
    secret, the exact cycles, which memory is read and written, and which registers are kept. Exit 1 if something was
    refuted, or could not be proved.

    Example: bancada prove firmware.elf --proofs my_proofs.py
    """
    from rich.table import Table

    from bancada.prove.prove import PROVED
    from bancada.prove.prove import prove as prove_all

    results = prove_all(elf, proofs_path, names, placements, limit_seconds)
    if as_json:
        print_json([asdict(result) for result in results])
    else:
        table = Table("proof", "verdict", "cycles", "stack in bytes", "decided by", "seconds")
        for result in results:
            last = result.calls[-1] if result.calls else None
            table.add_row(
                result.name,
                result.verdict,
                f"{last.cycles:,}" if last else "",
                str(last.stack_bytes) if last else "",
                result.by if result.verdict == PROVED else "",
                f"{result.seconds:.1f}",
            )
        console().print(table)
        for result in results:
            if result.reason:
                click.echo(f"{result.name}: {result.verdict}: {result.reason}")
    if any(result.verdict != PROVED for result in results):
        sys.exit(EXIT_NOT_PROVED)
