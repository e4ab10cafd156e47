"""`bancada validate`: each core's cost table against published figures of silicon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.catalogue.catalogue import named, read_cores
from bancada.catalogue.paths import default_store
from bancada.model.errors import UserError
from bancada.validate.store import store_validation
from bancada.validate.validation import SetSummary, Validation, summarise

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.argument("cores", nargs=-1)
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The SQLite file of results. Default: in your data folder.",
)
def validate(cores: tuple[str, ...], store_path: Path | None) -> None:
    """Hold the cost tables of modelled cores against published figures of silicon.

    Example: bancada validate cortex-a53
    """
    from rich.console import Console

    from bancada.validate.validate import validate as compare

    cores_known = read_cores()
    known = {name: core for name, core in cores_known.items() if core.published}
    chosen = [named("core", cores_known, name) for name in cores] or [known[name] for name in sorted(known)]
    if not chosen:
        raise UserError("No core has a cost table with published figures.")
    console = Console()
    broken: list[str] = []
    for core in chosen:
        outcomes = list(compare(core))
        store_validation(store_path or default_store(), core.name, outcomes)
        summaries = summarise(outcomes)
        _print(console, core.title, core.band_percent, outcomes, summaries)
        broken += [
            summary.core
            for summary in summaries
            if summary.set == "validation" and summary.largest_percent > (core.band_percent or 0)
        ]
    if broken:
        raise UserError(
            f"The band that the file declares is too narrow for {', '.join(broken)}: see the largest error of its"
            " validation set."
        )


def _print(
    console: Console, title: str, band_percent: float | None, outcomes: list[Validation], summaries: list[SetSummary]
) -> None:
    from rich.table import Table

    for summary in summaries:
        table = Table(
            title=f"{title}, {summary.set} set",
            caption=(
                f"{summary.figures} figures: mean error {summary.mean_percent:.1f} %, largest"
                f" {summary.largest_percent:.1f} %"
            ),
        )
        table.add_column("program", no_wrap=True)
        table.add_column("per", no_wrap=True)
        for name in ("published", "ours", "error"):
            table.add_column(name, no_wrap=True, justify="right")
        for outcome in outcomes:
            if outcome.set == summary.set:
                published, ours = f"{outcome.published:.4g}", f"{outcome.predicted:.4g}"
                unit = outcome.unit.partition("/")[2] or "call"
                table.add_row(outcome.program, unit, published, ours, f"{outcome.error_percent:+.1f} %")
        console.print(table)
    console.print(f"Every result of this core carries ±{band_percent:g} %.\n")
