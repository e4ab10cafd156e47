"""`bancada report`: the page of all stored results."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import click

from bancada.commands.language import say
from bancada.commands.options import store_option, store_to_read, what_can_be_read
from bancada.language.spoken import spoken
from bancada.model.errors import UserError


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=Path("report/index.html"), show_default=True)
@store_option
def report(output: Path, store_path: Path | None) -> None:
    """Draw the report of all stored results as one HTML file.

    Example: bancada report --output report/index.html
    """
    from bancada.commands.assemble import assemble, digest
    from bancada.measure.laboratory import open_laboratory
    from bancada.measure.read_metrics import read_metrics

    metrics = read_metrics()
    store = store_to_read(store_path)
    content = assemble(what_can_be_read(open_laboratory()), store, metrics)
    if not content.experiments:
        raise UserError(
            "There are no results yet: run an experiment first; bancada list experiments names what bancada run takes"
        )
    mark = f"<!-- {digest(content, metrics)} {spoken().digest} -->".replace("  ", " ")
    if output.is_file() and output.read_text(encoding="utf-8", errors="replace").rstrip().endswith(mark):
        say(f"{output} is up to date.")
        return
    from bancada.answers.report.page import draw_report

    html = f"{draw_report(content, metrics, spoken())}\n{mark}\n"
    try:
        write_whole(output, html)
    except OSError as error:
        raise UserError(
            f"The report cannot be written to {output}: {error.strerror}; name another file with --output."
        ) from error
    say(f"Wrote {output} ({len(html.encode()) / 1024:.0f} KiB).", err=not _is_file_or_new(output))


def _is_file_or_new(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def write_whole(path: Path, text: str) -> None:
    """Writes a file completely or not at all: it is written beside the earlier one and then replaces it. A symbolic
    link stays, and its target is written. A device or a pipe is written to and never replaced; so is whatever a name
    in /dev stands for, as /dev/stdout does. OSError if the file cannot be written."""
    place = Path(os.path.realpath(path))
    if not _is_file_or_new(path) or path.absolute().parts[:2] in (("/", "dev"), ("/", "proc")):
        # The name itself is opened: what /dev/stdout links to has no path if it is a pipe.
        with path.open("w", encoding="utf-8") as through:
            through.write(text)
        return
    partial = place.with_name(f"{place.name}.partial")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(place)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
