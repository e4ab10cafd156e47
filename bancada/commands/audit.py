"""`bancada audit`: does it leak?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.audit.findings import TITLES, Audit, Finding, together
from bancada.audit.store import store_audit
from bancada.catalogue.paths import default_store
from bancada.commands.options import console as wide_console
from bancada.model.errors import UserError
from bancada.store.reading import refuse_foreign

if TYPE_CHECKING:
    from rich.console import Console

EXIT_LEAKS = 1
_SAMPLES = 2000
# Secrets are followed as for one implementation. The times are a second look.
_SAMPLES_OF_EXPERIMENT = 64


@click.command()
@click.argument("implementation", required=False)
@click.option("--target", help="An AVR (uno), an ARM target, or host.")
@click.option(
    "--experiment",
    "experiments",
    multiple=True,
    help="Instead of one implementation: all that this experiment has measured on AVR targets, at every level, and that"
    " is not audited yet; may be repeated.",
)
@click.option(
    "--operation", "operations", multiple=True, help="Only this one: set-key, encrypt, sign, ...; may be repeated."
)
@click.option(
    "--samples",
    type=click.IntRange(4),
    default=None,
    help=f"Calls whose cycles are compared, on an AVR. Default: {_SAMPLES}; of an experiment {_SAMPLES_OF_EXPERIMENT}.",
)
@click.option("--optimisation", default="-Os", show_default=True, help="The compiler's level.")
@click.option("--addresses", "every", is_flag=True, help="List what is harmless on this target too.")
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The SQLite file of results. Default: in your data folder.",
)
def audit(
    implementation: str | None,
    target: str | None,
    experiments: tuple[str, ...],
    operations: tuple[str, ...],
    samples: int | None,
    optimisation: str,
    every: bool,
    store_path: Path | None,
) -> None:
    """Find every branch and address of an implementation (candidate/name, or candidate for all) that depends on a
    secret.

    On an AVR secrets are followed through the firmware in the simulator, and cycles of fixed and random secrets
    compared. For other targets the same C sources are compiled for this machine and run under valgrind. Exit 1 if
    something leaks or could not be audited.

    With --experiment a leak is a finding: the exit code is 0.

    Example: bancada audit tinyaes/aes128 --target uno
    """
    if experiments:
        if implementation or target or operations:
            raise UserError("--experiment goes without an implementation, --target and --operation.")
        from bancada.commands.audit_experiment import audit_experiments

        audit_experiments(experiments, samples or _SAMPLES_OF_EXPERIMENT, store_path)
        return
    if implementation is None or target is None:
        raise UserError(
            "Say what to audit and where (bancada audit tinyaes/aes128 --target uno), or --experiment EXPERIMENT for"
            " all that it has measured."
        )
    from bancada.audit.audit import audit as examine
    from bancada.audit.audit import chosen_firmwares, place_of
    from bancada.audit.secret_calls import audited_operations
    from bancada.measure.laboratory import open_laboratory

    console = wide_console()
    is_clean = True
    kept = store_path or default_store()
    refuse_foreign(kept)
    laboratory = open_laboratory()
    candidate = laboratory.candidate(implementation.partition("/")[0])
    place = place_of(laboratory, target)
    named = implementation if implementation != candidate.name else None
    firmwares = chosen_firmwares(laboratory, candidate, place, named, optimisation)
    if named is None and operations:
        # Of a candidate, those implementations that have one of the operations.
        firmwares = [
            firmware for firmware in firmwares if set(operations) & set(audited_operations(firmware))
        ] or firmwares
    for firmware in firmwares:
        asked = (
            operations
            if named is not None
            else tuple(name for name in operations if name in audited_operations(firmware))
        )
        for found in examine(firmware, place, asked or operations, samples or _SAMPLES):
            store_audit(kept, found)
            _show(console, found, every)
            is_clean = is_clean and found.verdict == "clean"
    if not is_clean:
        sys.exit(EXIT_LEAKS)


def _show(console: Console, audit: Audit, every: bool) -> None:
    name = f"{audit.implementation} {audit.operation} on {audit.target}, {audit.optimisation}"
    if audit.reason is not None:
        console.print(f"[bold]{name}[/]: not audited; {audit.reason}", highlight=False)
        return
    colour = "red" if audit.verdict == "leaks" else "green"
    cycles = f"; {audit.timing.text}" if audit.timing else ""
    console.print(f"[bold]{name}[/]: [{colour}]{audit.verdict}[/]{cycles}", highlight=False, soft_wrap=True)
    if audit.method == "host":
        console.print(
            "  The C sources compiled for this machine, not the Arm program: assembly and its compiler's choices are"
            " not audited.",
            soft_wrap=True,
        )
    harmless = [finding for finding in audit.findings if not finding.is_leak]
    shown = audit.findings if every else (*audit.leaks, *(finding for finding in harmless if finding.public))
    if shown:
        _show_table(console, shown)
    if harmless and not every:
        _show_harmless(console, harmless)


def _show_table(console: Console, findings: tuple[Finding, ...]) -> None:
    from rich.table import Table

    table = Table("", "kind", "function", "where", "executed")
    table.columns[4].justify = "right"
    for place in together(findings):
        mark = "[red]leak[/]" if place.is_leak else "public" if place.public else "harmless"
        function = f"{place.routine}, called from {place.function}" if place.routine else place.function
        kind = TITLES[place.kind] + (f" ({place.public})" if place.public else "")
        table.add_row(mark, kind, function, place.where, str(place.count))
    console.print(table)


def _show_harmless(console: Console, findings: list[Finding]) -> None:
    even = sum(finding.kind == "even-branch" for finding in findings)
    addresses = sum(finding.kind != "even-branch" and not finding.public for finding in findings)
    if addresses:
        what = (
            "1 place uses an address that depends"
            if addresses == 1
            else f"{addresses} places use addresses that depend"
        )
        console.print(
            f"  {what} on secrets: harmless on this target, whose RAM has no cache, a leak elsewhere (--addresses).",
            soft_wrap=True,
        )
    if even:
        what = "1 branch depends on secrets and takes" if even == 1 else f"{even} branches depend on secrets and take"
        console.print(f"  {what} equally long both ways (--addresses).", soft_wrap=True)
