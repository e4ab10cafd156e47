"""`bancada store`: lists stored results, and forgets chosen ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from bancada.commands.language import say
from bancada.commands.options import console, json_option, print_json, store_option, store_to_read, store_to_write
from bancada.language.spoken import spoken
from bancada.model.errors import UserError
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.plan.laboratory import Laboratory


@click.group()
def store() -> None:
    """List what was measured, and forget what is no longer wanted.

    Example: bancada store list
    """


@store.command("list")
@json_option
@store_option
def list_results(as_json: bool, store_path: Path | None) -> None:
    """List the stored results by experiment, target and candidate, and say what this shell's catalogue does not know.

    Example: bancada store list
    """
    from bancada.measure.laboratory import open_laboratory

    laboratory, entries = open_laboratory(), store_to_read(store_path).entries()
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for experiment, result in entries:
        groups.setdefault((experiment, result.target, result.candidate), []).append(result)
    rows = [
        {
            "experiment": experiment,
            "target": target,
            "candidate": candidate,
            "results": len(members),
            "ok": sum(result.status is Status.OK for result in members),
            "newest": max(result.date for result in members),
            "remark": _remark(laboratory, experiment, target, candidate),
        }
        for (experiment, target, candidate), members in sorted(groups.items())
    ]
    if as_json:
        print_json(rows)
        return
    from rich.table import Table
    from rich.text import Text

    if not rows:
        say("There are no results yet: run an experiment first; bancada list experiments names what bancada run takes")
        return
    table = Table("experiment", "target", "candidate", "results", "ok", "newest", "remark", title="Stored results")
    for row in rows:
        said = row | {"remark": spoken().gettext(str(row["remark"]))}
        table.add_row(*(Text(str(cell)) for cell in said.values()))
    console().print(table)


def _remark(laboratory: Laboratory, experiment: str, target: str, candidate: str) -> str:
    """Which of a group's experiment, target and candidate has no definition in this shell. Its results are kept and
    shown without its facts."""
    missing = [
        f"{kind} '{name}'"
        for kind, name, known in (
            ("experiment", experiment, laboratory.experiments),
            ("target", target, laboratory.targets),
            ("candidate", candidate, laboratory.candidates),
        )
        if name not in known
    ]
    return f"not defined here (BANCADA_PATH?): {', '.join(missing)}" if missing else ""


@store.command()
@click.option("--experiment", "experiments", multiple=True, help="Of this experiment; may be repeated.")
@click.option("--target", "targets", multiple=True, help="Of this target; may be repeated.")
@click.option("--candidate", "candidates", multiple=True, help="Of this candidate; may be repeated.")
@click.option("--unplanned", is_flag=True, help="Only cases that their experiment does not plan any more.")
@click.option("--yes", is_flag=True, help="Forget them. Without it they are only named.")
@store_option
def prune(
    experiments: tuple[str, ...],
    targets: tuple[str, ...],
    candidates: tuple[str, ...],
    unplanned: bool,
    yes: bool,
    store_path: Path | None,
) -> None:
    """Forget results: those that every option given is true of.

    Example: bancada store prune --experiment NAME --unplanned
    """
    if not (experiments or targets or candidates or unplanned):
        raise UserError("Say what to forget: --experiment, --target, --candidate or --unplanned.")
    reading = store_to_read(store_path)
    found = [
        (experiment, result)
        for experiment, result in reading.entries()
        if (not experiments or experiment in experiments)
        and (not targets or result.target in targets)
        and (not candidates or result.candidate in candidates)
    ]
    if unplanned:
        from bancada.commands.unplanned import unplanned_entries
        from bancada.measure.laboratory import open_laboratory

        found = unplanned_entries(open_laboratory(), found)
    path = reading.path
    reading.close()
    for (experiment, target, candidate), count in sorted(
        Counter((experiment, result.target, result.candidate) for experiment, result in found).items()
    ):
        say(f"{experiment}: {target}, {candidate}: {count}")
    if yes and found:
        store_to_write(path).forget((experiment, result.case) for experiment, result in found)
    counted = "1 result" if len(found) == 1 else f"{len(found)} results"
    say(f"Forgot {counted}." if yes else f"Would forget (with --yes) {counted}.")
