"""The command line: parses, calls, prints. All work is elsewhere."""

from __future__ import annotations

import errno
import io
import logging
import os
import select
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from traceback import walk_tb
from typing import Any, NoReturn

import click

from bancada import __version__
from bancada.campaign import interrupt
from bancada.commands.language import lang_option, say, teach_click, translated
from bancada.commands.options import (
    Finite,
    console,
    json_option,
    print_json,
    store_option,
    store_to_write,
    what_can_be_read,
)
from bancada.language.spoken import spoken
from bancada.model.errors import UserError

_WHAT_TO_DO = {
    errno.EACCES: ": work in a folder that you may write to (BANCADA_CACHE names the one for what is built)",
    errno.EROFS: ": work in a folder that can be written to (BANCADA_CACHE names the one for what is built)",
    errno.ENOSPC: ": make room (BANCADA_CACHE names the folder for what is built)",
}

EXIT_USER_ERROR = 2
EXIT_FAILED_CASES = 1
# As of a program that SIGPIPE ends, which any other program of the shell is.
EXIT_NOBODY_READS = 141

_STANDARD_OUTPUT = 1


# The module of each command with a module of its own, and what it is called there.
_COMMANDS = {
    "list": "bancada.commands.list_entries:list_entries",
    **{
        name: f"bancada.commands.{name}:{name}"
        for name in (
            "report",
            "export",
            "compare",
            "pick",
            "store",
            "new",
            "audit",
            "check",
            "measure",
            "gem5",
            "validate",
            "calibrate",
            "ports",
            "entropy",
            "prove",
        )
    },
}


class _NobodyReads(Exception):
    """Whoever read the standard output has ended, as `head` does."""


@contextmanager
def _before_click() -> Iterator[None]:
    """Takes what click would answer in its own way: by an empty line, or by an exit status that says nothing."""
    try:
        yield
    except KeyboardInterrupt:
        raise interrupt.Interrupted from None
    except BrokenPipeError:
        if _is_read():
            raise  # another pipe: of a program that this one runs
        raise _NobodyReads from None


def _is_read() -> bool:
    output = select.poll()
    output.register(_STANDARD_OUTPUT, select.POLLERR)
    return not output.poll(0)


class _Commands(click.Group):
    """Imports the module of a command when the command is asked for: all of them take half a second.

    Commands of other products are those that an installed package registers as entry points of the group
    `bancada.commands`, under their names.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_COMMANDS, *entry_points(group="bancada.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _COMMANDS:
            module, _, attribute = _COMMANDS[cmd_name].partition(":")
            found: click.Command = getattr(import_module(module), attribute)
            return translated(found)
        for entry in entry_points(group="bancada.commands", name=cmd_name):
            installed: click.Command = entry.load()
            return translated(installed)
        own = super().get_command(ctx, cmd_name)
        return None if own is None else translated(own)

    def make_context(self, *arguments: Any, **others: Any) -> click.Context:
        with _before_click():
            return super().make_context(*arguments, **others)

    def invoke(self, ctx: click.Context) -> object:
        with _before_click():
            return super().invoke(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        translated(self)
        super().format_help(ctx, formatter)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bancada")
@lang_option
def cli() -> None:
    """A laboratory for cryptography on constrained devices.

    Builds real firmware, runs it on a cycle-exact simulator, checks it against official vectors, and says what it
    costs.
    """


@cli.command()
@click.option("--engine", is_flag=True, help="Only build the engine, if it is not built yet, or say what that needs.")
@json_option
def doctor(engine: bool, as_json: bool) -> None:
    """Say what this machine has and lacks.

    Example: bancada doctor
    """
    if engine:
        from bancada.engines.simavr.session import runner

        runner()
        return
    from rich.table import Table

    from bancada.commands.doctor import doctor as examine
    from bancada.measure.laboratory import open_laboratory

    findings = examine(what_can_be_read(open_laboratory()))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        table = Table("tool", "for", "found")
        for finding in findings:
            found = finding.version or f"[red]missing[/]: {finding.install}"
            table.add_row(finding.tool, finding.purpose, found)
        console().print(table)
    missing = [finding.tool for finding in findings if finding.required and finding.version is None]
    if missing:
        raise UserError(f"Not ready: {', '.join(missing)} missing; the table says what installs each.")


@cli.command()
@click.argument("experiments", nargs=-1, required=True)
@click.option("--target", "targets", multiple=True, help="Instead of the experiment's targets; may be repeated.")
@click.option("--candidate", "candidates", multiple=True, help="Only this candidate; may be repeated.")
@click.option(
    "--compiler",
    "compilers",
    multiple=True,
    help="Instead of the target's own: a name, a path, or all; may be repeated.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="How many at once."
)
@click.option(
    "--dask",
    "scheduler",
    metavar="ADDRESS",
    default=None,
    help="On the workers of this scheduler of dask instead of here.",
)
@click.option(
    "--port",
    default=None,
    help=(
        "Measure on the board at this serial port, /dev/ttyACM0, instead of in the simulator; with one --target."
        " sim:TARGET is a simulated board: a rehearsal, whose results are kept only with --store."
    ),
)
@click.option("--quick", is_flag=True, help="One optimisation level only (-Os).")
@click.option("--from-git", is_flag=True, help="Also the candidates that git fetches; without it they are left out.")
@click.option("--full", is_flag=True, help="Monte-Carlo tests whole: 100 x 1000 calls each.")
@click.option(
    "--watts",
    type=Finite(0, min_open=True),
    help="Power of targets for which no figure is published; without it they have no energy.",
)
@store_option
def run(
    experiments: tuple[str, ...],
    targets: tuple[str, ...],
    candidates: tuple[str, ...],
    compilers: tuple[str, ...],
    jobs: int,
    scheduler: str | None,
    port: str | None,
    quick: bool,
    from_git: bool,
    full: bool,
    watts: float | None,
    store_path: Path | None,
) -> None:
    """Run experiments and store their results; what did not change is not run again.

    The exit code is 1 if a case failed, or if a candidate of your own, Tatu, or one that --candidate names is not
    conformant. That another library is not conformant is a finding: a line says so, and the exit code is 0.

    Example: bancada run EXPERIMENT --quick
    """
    from bancada.campaign.board import maybe_board
    from bancada.campaign.campaign import here
    from bancada.campaign.distribute import on_cluster
    from bancada.commands.console import run_experiments, tell
    from bancada.commands.rehearsal import store_for, with_target_of
    from bancada.measure.laboratory import open_laboratory
    from bancada.measure.read_metrics import read_metrics

    metrics = read_metrics()
    laboratory = open_laboratory().with_watts(watts)
    chosen = [laboratory.experiment(name) for name in experiments]
    targets = with_target_of(port, targets)
    with (
        store_for(port, store_path) as written,
        closing(store_to_write(written)) as results,
        maybe_board(laboratory, port, targets, scheduler) as opened,
    ):
        right = run_experiments(
            opened,
            chosen,
            results,
            metrics,
            targets,
            candidates,
            on_cluster(opened, scheduler, tell) if scheduler is not None else here(1 if port else jobs),
            quick,
            full,
            compilers,
            from_git,
        )
    if port:
        say(
            f"Cycles by the timer of the board on {port}, results of their own beside the simulator's; stack and"
            " initialisation are not measured there."
        )
    if not right:
        sys.exit(EXIT_FAILED_CASES)


def _fail(message: str, code: int) -> NoReturn:
    # Ctrl-C stops the programs that a command runs, too: that one of them failed is then no mistake of anybody's.
    interrupt.check()
    with suppress(OSError):  # nobody reads the standard error
        click.echo(f"bancada: {spoken().gettext(message)}", err=True)
    sys.exit(code)


def _is_of_output(error: OSError) -> bool:
    """Whether printing failed, as on a full disk: then one of the libraries that print raised the error."""
    printing = {module.__file__ for name in ("click.utils", "rich.console") if (module := sys.modules.get(name))}
    *_, (frame, _) = walk_tb(error.__traceback__)
    return frame.f_code.co_filename in printing


def _forget_output() -> None:
    """What is still to be written goes nowhere: Python would try it again at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), _STANDARD_OUTPUT)


def start() -> None:
    """Runs the command line. A user's mistake is one sentence and exit code 2. KeyboardInterrupt or Interrupted after
    Ctrl-C."""
    teach_click()
    for stream in (sys.stdout, sys.stderr):
        # A locale may lack a letter or the narrow space of figures: then a question mark stands there.
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")
    # Programs that set-up put beside this one are found even if the environment is not activated. An empty part of PATH
    # would mean the current folder, so empty parts are left out.
    os.environ["PATH"] = os.pathsep.join(
        part for part in (os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)) if part
    )
    logging.getLogger("matplotlib").setLevel(
        logging.ERROR
    )  # it warns of a home that it cannot write to, which no figure needs
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
        sentence = spoken().gettext(said if said.endswith((".", "?")) else f"{said}.")
        _fail(sentence + spoken().gettext(hint), EXIT_USER_ERROR)
    except _NobodyReads:
        _forget_output()
        sys.exit(EXIT_NOBODY_READS)
    except sqlite3.Error as error:
        _fail(f"The store of results cannot be used: {error}.", EXIT_USER_ERROR)
    except OSError as error:
        if _is_of_output(error):
            _forget_output()
            _fail(f"The output cannot be written: {error.strerror or error}.", EXIT_USER_ERROR)
        place = f"{error.filename}: " if error.filename else ""
        _fail(
            f"{place}{error.strerror or error}{_WHAT_TO_DO.get(error.errno or 0, '')}; what was finished before is"
            " stored.",
            EXIT_USER_ERROR,
        )
