"""Options of several commands: the store, sizes in bytes, and a console that does not cut tables."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bancada.catalogue.catalogue import say
from bancada.catalogue.paths import default_store
from bancada.commands.language import speaking
from bancada.model.errors import UserError
from bancada.store.store import Store

if TYPE_CHECKING:
    from rich.console import Console

    from bancada.plan.laboratory import Laboratory

# Wider than any table, for output to a file or a pipe.
_NO_EDGE = 10_000


class Size(click.ParamType[int]):
    """Bytes: 300, 2K, 1.5K."""

    name = "bytes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)\s*([kK]?)[iI]?[bB]?", str(value))
        if not match:
            self.fail(f"'{value}' is not a size; write 300 or 2K", param, ctx)
        return int(float(match[1]) * (1024 if match[2] else 1))


class Finite(click.FloatRange):
    """A number in a range, as `click.FloatRange` takes it, that is a number and no infinity: seconds, per cent, watts.

    A thousand million stands for as many as there can be: more seconds overflow the system's clocks.
    """

    _MOST = 1e9

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found) or found > self._MOST:
            self.fail(f"'{value}' is no number that can be used here; write one up to 1000000000", param, ctx)
        return found


store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The SQLite file of results. Default: in your data folder.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="As JSON, for other programs.")


def store_to_write(path: Path | None) -> Store:
    """The store. It is created if it does not exist, and closed when the command ends."""
    return _closed_at_the_end(Store(path or default_store()))


def store_to_read(path: Path | None) -> Store:
    """The store, opened for reading only, and closed when the command ends. A store that the user names must exist:
    otherwise a misspelt name would be an empty store. UserError if not."""
    if path is not None and not path.is_file():
        raise UserError(f"There is no store {path}; an experiment writes it: bancada run EXPERIMENT --store {path}")
    return _closed_at_the_end(Store(path or default_store(), to_read=True))


def _closed_at_the_end(store: Store) -> Store:
    """Closed, however the command ends: a store that is left open leaves files of SQLite's beside it."""
    click.get_current_context().call_on_close(store.close)
    return store


def console() -> Console:
    """A console on standard output: as wide as the terminal, and without a limit where the output goes to a file or a
    pipe."""
    from rich.console import Console  # rich is slow to import

    made = speaking(Console, **({} if sys.stdout.isatty() else {"width": _NO_EDGE}))
    made.on_broken_pipe = _raise_again  # type: ignore[method-assign]
    return made


def _raise_again() -> None:
    """Of a BrokenPipeError: what a console is to do about it instead of ending the process by itself."""
    raise


def what_can_be_read(laboratory: Laboratory) -> Laboratory:
    """The laboratory without the files that cannot be read. Each is said on the standard error."""
    without, broken = laboratory.readable()
    for error in broken:
        say(str(error))
    return without


def print_text(text: str) -> None:
    """A file for other programs on standard output, in UTF-8 whatever the locale: XML says so, and LaTeX expects it."""
    click.echo(text.encode("utf-8", errors="surrogateescape"), nl=False)


def print_json(value: Any) -> None:
    """A value as JSON on standard output."""
    print_text(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")
