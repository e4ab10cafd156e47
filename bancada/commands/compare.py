"""`bancada compare`: what changed?"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import click

from bancada.commands.options import Finite, console, json_option, print_json
from bancada.model.errors import UserError
from bancada.model.result import Result
from bancada.store.store import Store, result_from_dict

EXIT_REGRESSION = 1


def results_of(path: Path) -> list[Result]:
    """Results of a store or of an export in JSON Lines. UserError for another file."""
    if not path.is_file():
        raise UserError(f"There is no file {path}; give a store (.sqlite) or an export (.jsonl).")
    if path.read_bytes()[:15] == b"SQLite format 3":
        with closing(Store(path, to_read=True)) as store:
            return store.results()
    results = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        try:
            results.append(result_from_dict(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise UserError(f"{path}, line {number}: not a result in JSON Lines ({error}).") from error
    return results


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--tolerance",
    "tolerance_percent",
    type=Finite(0),
    default=0.0,
    help="Per cent, for figures that are not exact.",
)
@click.option(
    "--compilers", nargs=2, default=None, help="Compare what one compiler made before with what another made after."
)
@click.option("--partial", is_flag=True, help="AFTER has a part of the cases on purpose: the others decide nothing.")
@json_option
def compare(
    before: Path,
    after: Path,
    tolerance_percent: float,
    compilers: tuple[str, str] | None,
    partial: bool,
    as_json: bool,
) -> None:
    """Say what got faster, slower, larger or smaller between two stores or exports.

    Exit 1 on a regression, or if a case of BEFORE vanished.

    Example: bancada compare yesterday.jsonl today.jsonl
    """
    from bancada.answers.compare import compare as judge
    from bancada.answers.compare import comparison_as_dict, of_compiler, render_comparison
    from bancada.measure.read_metrics import read_metrics

    metrics = read_metrics()
    old, new = results_of(before), results_of(after)
    if compilers:
        old, new = of_compiler(old, compilers[0]), of_compiler(new, compilers[1])
    # Of two compilers, each may have cases of its own.
    comparison = judge(old, new, metrics, tolerance_percent, partial=partial or compilers is not None)
    if comparison.compared == 0:
        raise UserError(f"{before} and {after} have no case in common: nothing was compared.")
    if as_json:
        print_json(comparison_as_dict(comparison))
    else:
        console().print(render_comparison(comparison))
    if comparison.regressed or comparison.incomplete:
        sys.exit(EXIT_REGRESSION)
