"""The command line: parses, calls, prints. All work is elsewhere."""

from __future__ import annotations

import errno
import json
import logging
import os
import re
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click

from bancada import __version__, catalogue, interrupt
from bancada.catalogue import named
from bancada.commands.audit import audit
from bancada.commands.calibrate import calibrate
from bancada.commands.check import check
from bancada.commands.gem5 import gem5
from bancada.commands.measure import measure
from bancada.commands.new import new
from bancada.commands.ports import ports
from bancada.commands.validate import validate
from bancada.errors import UserError
from bancada.link.cli import link
from bancada.paths import default_store
from bancada.records import Result, Status
from bancada.store import Store, result_from_dict

_WHAT_TO_DO = {
    errno.EACCES: ": work in a folder that you may write to (BANCADA_CACHE names the one for what is built)",
    errno.EROFS: ": work in a folder that can be written to (BANCADA_CACHE names the one for what is built)",
    errno.ENOSPC: ": make room (BANCADA_CACHE names the folder for what is built)",
}

EXIT_USER_ERROR = 2
EXIT_FAILED_CASES = 1
EXIT_REGRESSION = 1
EXIT_INTERRUPTED = 130


class _Size(click.ParamType[int]):
    """Bytes: 300, 2K, 1.5K."""

    name = "bytes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kK]?)[iI]?[bB]?", str(value))
        if not match:
            self.fail(f"'{value}' is not a size; write 300 or 2K", param, ctx)
        return int(float(match[1]) * (1024 if match[2] else 1))


_store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The SQLite file of results. Default: in your data folder.",
)


def _open_store(path: Path | None) -> Store:
    return Store(path or default_store())


def _results_store(path: Path | None) -> Store:
    """The store, to be read: one that is named must be there, or a misspelt name would be an empty file."""
    if path is not None and not path.is_file():
        raise UserError(f"There is no store {path}; an experiment writes it: bancada run libraries sensor --store {path}")
    return _open_store(path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bancada")
def cli() -> None:
    """A laboratory for cryptography on constrained devices.

    Builds real firmware, runs it on a cycle-exact simulator, checks it against official vectors, and says what it costs.
    """


@cli.command()
@click.option("--engine", is_flag=True, help="Only build the engine, if it is not built yet, or say what that needs.")
def doctor(engine: bool) -> None:
    """Say what this machine has and lacks.

    Example: bancada doctor
    """
    if engine:
        from bancada.engines.simavr import runner

        runner()
        return
    from rich.console import Console
    from rich.table import Table

    from bancada.doctor import doctor as examine

    findings = examine()
    table = Table("tool", "for", "found")
    for finding in findings:
        found = finding.version or f"[red]missing[/]: {finding.install}"
        table.add_row(finding.tool, finding.purpose, found)
    Console().print(table)
    missing = [finding.tool for finding in findings if finding.required and finding.version is None]
    if missing:
        raise UserError(f"Not ready: {', '.join(missing)} missing; the table says what installs each.")


@cli.command("list")
@click.argument("kind", type=click.Choice(["targets", "candidates", "implementations", "experiments", "compilers", "all"]), default="all")
def list_entries(kind: str) -> None:
    """List targets, candidates, implementations, experiments, and the compilers of this machine.

    Example: bancada list candidates
    """
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if kind in ("experiments", "all"):
        table = Table("experiment", "question", title="Experiments")
        for _, experiment in sorted(catalogue.experiments().items()):
            table.add_row(experiment.name, experiment.question)
        console.print(table)
    if kind in ("targets", "all"):
        table = Table("target", "device", "clock", "flash", "RAM", title="Targets")
        for _, target in sorted(catalogue.targets().items()):
            clock = f"{target.clock_hz / 1e6:g} MHz"
            table.add_row(target.name, target.title, clock, f"{target.flash_bytes} B", f"{target.ram_bytes} B")
        console.print(table)
    if kind in ("candidates", "all"):
        table = Table("candidate", "library", "licence", "fetched from", title="Candidates")
        for _, candidate in sorted(catalogue.candidates().items()):
            source = candidate.source
            fetched = f"{source.registry} {source.package} {source.version}" if source else "this repository"
            table.add_row(candidate.name, f"{candidate.title} {candidate.version}", candidate.licence, fetched)
        console.print(table)
    if kind == "compilers":
        from bancada.compilers import table_of_compilers

        console.print(table_of_compilers())
    if kind == "implementations":
        table = Table("implementation", "algorithm", "variants", "key bits", "operations", title="Implementations")
        for _, candidate in sorted(catalogue.candidates().items()):
            for row in candidate.implementation:
                bits = " ".join(str(number) for number in row.key_bits)
                name = f"{candidate.name}/{row.name}"
                table.add_row(name, row.algorithm, " ".join(row.variant), bits, " ".join(row.operations))
        console.print(table)


@cli.command()
@click.argument("experiments", nargs=-1, required=True)
@click.option("--target", "targets", multiple=True, help="Instead of the experiment's targets; may be repeated.")
@click.option("--candidate", "candidates", multiple=True, help="Only this candidate; may be repeated.")
@click.option("--compiler", "compilers", multiple=True, help="Instead of the target's own: a name, a path, or all; may be repeated.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="How many at once.")
@click.option("--dask", "scheduler", metavar="ADDRESS", default=None, help="On the workers of this scheduler of dask instead of here.")
@click.option("--port", default=None, help="Measure on the board at this serial port, /dev/ttyACM0, instead of in the simulator; with one --target.")
@click.option("--quick", is_flag=True, help="One optimisation level only (-Os).")
@click.option("--full", is_flag=True, help="Monte-Carlo tests whole: 100 x 1000 calls each.")
@click.option("--watts", type=click.FloatRange(0, min_open=True), help="Power of targets for which no figure is published; without it they have no energy.")
@_store_option
def run(
    experiments: tuple[str, ...],
    targets: tuple[str, ...],
    candidates: tuple[str, ...],
    compilers: tuple[str, ...],
    jobs: int,
    scheduler: str | None,
    port: str | None,
    quick: bool,
    full: bool,
    watts: float | None,
    store_path: Path | None,
) -> None:
    """Run experiments and store their results; what did not change is not run again.

    Example: bancada run libraries sensor
    """
    from bancada.board import maybe_board
    from bancada.campaign import here
    from bancada.console import run_experiments, tell
    from bancada.distribute import on_cluster

    catalogue.assume_watts(watts)
    store = _open_store(store_path)
    chosen = [named("experiment", catalogue.experiments(), name) for name in experiments]
    with maybe_board(port, targets, scheduler):
        right = run_experiments(chosen, store, targets, candidates, on_cluster(scheduler, tell) if scheduler is not None else here(1 if port else jobs), quick, full, compilers)
    if port:
        click.echo(f"Cycles by the timer of the board on {port}, results of their own beside the simulator's; stack and initialisation are not measured there.")
    if not right:
        sys.exit(EXIT_FAILED_CASES)


@cli.command()
@click.option("--output", type=click.Path(path_type=Path), default=Path("report/index.html"), show_default=True)
@_store_option
def report(output: Path, store_path: Path | None) -> None:
    """Draw the report of all stored results as one HTML file.

    Example: bancada report --output report/index.html
    """
    from bancada.assemble import assemble, digest

    store = _results_store(store_path)
    content = assemble(store)
    if not content.experiments:
        raise UserError("There are no results yet: run an experiment first, for example: bancada run libraries sensor")
    mark = f"<!-- {digest(content)} -->"
    if output.is_file() and output.read_text(encoding="utf-8", errors="replace").rstrip().endswith(mark):
        click.echo(f"{output} is up to date.")
        return
    from bancada.report import draw_report

    html = f"{draw_report(content)}\n{mark}\n"
    partial = output.with_suffix(".partial")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(html, encoding="utf-8")
        partial.replace(output)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise UserError(f"The report cannot be written to {output}: {error.strerror}; name another file with --output.") from error
    click.echo(f"Wrote {output} ({len(html.encode()) / 1024:.0f} KiB).")


@cli.command()
@click.option("--format", "format_name", default="jsonl", show_default=True, help="jsonl, csv, markdown, latex, junit, survey, or an added one.")
@click.option("--experiment", default=None, help="Only this experiment's results.")
@_store_option
def export(format_name: str, experiment: str | None, store_path: Path | None) -> None:
    """Print stored results for other programs and for papers.

    Example: bancada export --format latex --experiment sensor > table.tex
    """
    from bancada.audit.marks import with_audits
    from bancada.audit.store import read_audits
    from bancada.export import export as render

    if experiment is not None:
        named("experiment", catalogue.experiments(), experiment)
    store = _results_store(store_path)
    click.echo(render(with_audits(store.results(experiment), read_audits(store.path)), format_name), nl=False)


def _results_of(path: Path) -> list[Result]:
    """Results of a store, or of an export in JSON Lines."""
    if not path.is_file():
        raise UserError(f"There is no file {path}; give a store (.sqlite) or an export (.jsonl).")
    if path.read_bytes()[:15] == b"SQLite format 3":
        return Store(path).results()
    results = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        try:
            results.append(result_from_dict(json.loads(line)))
        except (ValueError, KeyError, AttributeError) as error:
            raise UserError(f"{path}, line {number}: not a result in JSON Lines ({error}).") from error
    return results


@cli.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--tolerance", "tolerance_percent", type=click.FloatRange(0), default=0.0, help="Per cent, for figures that are not exact.")
@click.option("--compilers", nargs=2, default=None, help="Compare what one compiler made before with what another made after.")
def compare(before: Path, after: Path, tolerance_percent: float, compilers: tuple[str, str] | None) -> None:
    """Say what got faster, slower, larger or smaller between two stores or exports; exit 1 on a regression.

    Example: bancada compare yesterday.jsonl today.jsonl
    """
    from rich.console import Console

    from bancada.compare import compare as judge
    from bancada.compare import of_compiler, render_comparison

    old, new = _results_of(before), _results_of(after)
    if compilers:
        old, new = of_compiler(old, compilers[0]), of_compiler(new, compilers[1])
    comparison = judge(old, new, tolerance_percent)
    if comparison.compared == 0:
        raise UserError(f"{before} and {after} have no case in common: nothing was compared.")
    Console().print(render_comparison(comparison))
    if comparison.regressed:
        sys.exit(EXIT_REGRESSION)


@cli.command()
@click.option("--target", required=True)
@click.option("--operation", default="encrypt", show_default=True)
@click.option("--key", "key_bits", type=int, default=128, show_default=True, help="Key size in bits.")
@click.option("--flash", type=_Size(), default=None, help="At most this much flash: 2K, 1500.")
@click.option("--ram", type=_Size(), default=None, help="At most this much RAM, stack included: 300.")
@click.option("--by", type=click.Choice(["cycles", "time", "flash", "ram", "energy"]), default="cycles", show_default=True)
@click.option("--algorithm", default=None, help="Only this algorithm: aes, speck128.")
@_store_option
def pick(
    target: str,
    operation: str,
    key_bits: int,
    flash: int | None,
    ram: int | None,
    by: str,
    algorithm: str | None,
    store_path: Path | None,
) -> None:
    """Say which implementations fit a device's limits, best first, and why the others do not.

    Example: bancada pick --target uno --operation encrypt --key 128 --flash 2K --ram 300
    """
    from rich.console import Console

    from bancada.board_section import without_boards
    from bancada.pick import pick as choose
    from bancada.pick import render_pick

    named("target", catalogue.targets(), target)
    results = without_boards(_results_store(store_path).results())
    if not any(result.target == target and result.status is Status.OK for result in results):
        raise UserError(f"There are no results for target '{target}' yet: bancada run libraries sensor --target {target}")
    Console().print(render_pick(choose(results, target, operation, key_bits, flash, ram, by=by, algorithm=algorithm)))


for command in (link, new, audit, check, measure, gem5, validate, calibrate, ports):
    cli.add_command(command)


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"bancada: {message}", err=True)
    sys.exit(code)


def main() -> None:
    """Runs the command line; a user's mistake is one sentence and exit code 2."""
    from bancada.campaign import Interrupted

    interrupt.listen()
    # What set-up put beside this program is found, whether or not the environment is activated. An empty PATH stays no folder at all: an
    # empty part of one would be the folder that the user happens to be in.
    os.environ["PATH"] = os.pathsep.join(part for part in (os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)) if part)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a home that it cannot write to, which no figure needs
    try:
        cli(standalone_mode=False)
    except UserError as error:
        _fail(str(error), EXIT_USER_ERROR)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(EXIT_USER_ERROR)
    except click.ClickException as error:
        hint = f" Try: {error.ctx.command_path} --help" if isinstance(error, click.UsageError) and error.ctx else ""
        said = error.format_message()
        _fail((said if said.endswith((".", "?")) else f"{said}.") + hint, EXIT_USER_ERROR)
    except (Interrupted, KeyboardInterrupt, click.Abort):
        _fail("stopped; every finished case is stored, the same command resumes.", EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except sqlite3.Error as error:
        _fail(f"The store of results cannot be used: {error}.", EXIT_USER_ERROR)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}{_WHAT_TO_DO.get(error.errno or 0, '')}; what was finished before is stored.", EXIT_USER_ERROR)


if __name__ == "__main__":
    main()
