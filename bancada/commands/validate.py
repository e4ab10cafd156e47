"""`bancada validate`: each core's cost table against published figures of silicon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.catalogue.catalogue import named, read_cores
from bancada.catalogue.core import SHORT_CALL_CYCLES, Core
from bancada.catalogue.paths import default_store
from bancada.commands.options import console as wide_console
from bancada.model.errors import UserError
from bancada.validate.bands import FEWEST_FIGURES, band_of_memory, band_of_results, bands
from bancada.validate.device_memory import device_memory
from bancada.validate.store import store_validation
from bancada.validate.validation import SetSummary, Validation, summarise

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@click.command()
@click.argument("cores", nargs=-1)
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The SQLite file of results. Default: in your data folder.",
)
@click.option("--from-git", is_flag=True, help="Also the programs that git fetches; without it they are left out.")
def validate(cores: tuple[str, ...], store_path: Path | None, from_git: bool) -> None:
    """Hold the cost tables of modelled cores against published figures of silicon.

    Example: bancada validate cortex-a53
    """

    from bancada.validate.validate import published_figures
    from bancada.validate.validate import validate as compare

    cores_known = read_cores()
    known = {name: core for name, core in cores_known.items() if published_figures(core, from_git=from_git)}
    chosen = [named("core", cores_known, name) for name in cores] or [known[name] for name in sorted(known)]
    if not chosen:
        raise UserError("No core has a cost table with published figures.")
    console = wide_console()
    broken: list[str] = []
    for core in chosen:
        if not published_figures(core, from_git=from_git) and published_figures(core, from_git=True):
            raise UserError(
                f"All published figures of the core '{core.name}' are of programs that git fetches: add --from-git."
            )
        outcomes = list(compare(core, published_figures(core, from_git=from_git)))
        store_validation(store_path or default_store(), core.name, outcomes)
        _print(console, core, outcomes, from_git)
        found = band_of_results(outcomes, is_short=False), band_of_results(outcomes, is_short=True)
        declared = core.band_percent, core.band_of_short_calls_percent or core.band_percent
        if any(
            band is not None and band.quantile_90_percent > (percent or 0)
            for band, percent in zip(found, declared, strict=True)
        ):
            broken.append(core.name)
        for memory in sorted({outcome.memory for outcome in outcomes} - {""}):
            of_memory, declared_of_memory = band_of_memory(outcomes, memory), device_memory(memory).band_percent
            if of_memory is not None and of_memory.quantile_90_percent > (declared_of_memory or core.band_percent or 0):
                broken.append(f"the memory {memory}")
    if broken:
        raise UserError(
            f"The band that the file declares is too narrow for {', '.join(broken)}: more than a tenth of the held-out"
            " figures lie outside it."
        )


def _print(console: Console, core: Core, outcomes: list[Validation], from_git: bool) -> None:
    from rich.table import Table

    from bancada.validate.validate import deciding_figures

    for summary in summarise(outcomes):
        table = Table(
            title=f"{core.title}, {summary.set}" + (" set" if summary.set != "set aside" else ""),
            caption=_errors(summary),
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
    console.print(_table_of_bands(core, outcomes))
    short = core.band_of_short_calls_percent
    console.print(
        f"A result of this core carries ±{core.band_percent:g} %"
        + (f", of a call below {SHORT_CALL_CYCLES} cycles ±{short:g} %." if short else ".")
    )
    of_ciphers = f"of ciphers and hashes, in calls from {SHORT_CALL_CYCLES} cycles"
    for sentence in _too_few(
        of_ciphers, deciding_figures(core, from_git=from_git), deciding_figures(core, from_git=True)
    ):
        console.print(sentence)
    for memory in sorted({outcome.memory for outcome in outcomes} - {""}):
        if percent := device_memory(memory).band_percent:
            console.print(f"A result behind the memory {memory} carries ±{percent:g} %.")
            here, in_all = (deciding_figures(core, from_git=git, memory=memory) for git in (from_git, True))
            for sentence in _too_few(f"behind the memory {memory}", here, in_all):
                console.print(sentence)
    console.print()


def _errors(summary: SetSummary) -> str:
    if summary.figures == 1:
        return f"1 figure: error {summary.largest_percent:.1f} %"
    return (
        f"{summary.figures} figures: mean error {summary.mean_percent:.1f} %, largest {summary.largest_percent:.1f} %"
    )


def _too_few(which: str, here: int, in_all: int) -> tuple[str, ...]:
    """What is said of a band that these held-out figures do not decide, or that only those of git decide."""
    if here >= FEWEST_FIGURES:
        return ()
    if in_all >= FEWEST_FIGURES:
        return (
            f"Held-out figures {which}: {here} here, {in_all} with --from-git. Fewer than five decide nothing, so this"
            " run does not judge the band.",
        )
    return (f"Held-out figures {which}: {here}. Fewer than five decide nothing, so the band is assumed.",)


def _table_of_bands(core: Core, outcomes: list[Validation]) -> Table:
    from rich.table import Table

    table = Table(title=f"{core.title}, held-out by kind of code")
    for name in ("memory", "kind", "calls", "figures", "mean", "nine tenths within", "largest"):
        table.add_column(name, no_wrap=True)
    for band in bands(outcomes):
        table.add_row(
            band.memory or "no waits",
            band.kind,
            f"{'below' if band.is_short else 'from'} {SHORT_CALL_CYCLES}",
            str(band.figures),
            f"{band.mean_percent:.1f} %",
            band.nine_tenths,
            f"{band.largest_percent:.1f} %",
        )
    return table
