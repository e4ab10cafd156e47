"""`bancada new`: folders to begin from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.commands.language import say
from bancada.commands.new_candidate import new_candidate

if TYPE_CHECKING:
    from bancada.commands.new_entry import WrittenEntry


@click.group()
def new() -> None:
    """Write a folder to begin from: a candidate, a target or an experiment of your own.

    Example: bancada new candidate mycipher
    """


@new.command()
@click.argument("name")
@click.option("--algorithm", default="aes", show_default=True, help="Which; bancada list primitives names them.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where. Default: the current folder.",
)
@click.option(
    "--sources",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="A folder of C, C++ or assembly sources that is there already.",
)
@click.option(
    "--arduino",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="The folder of an Arduino library that is there already.",
)
def candidate(name: str, algorithm: str, folder: Path, sources: Path | None, arduino: Path | None) -> None:
    """Write a candidate that builds, and fails conformance until it is filled in.

    Example: bancada new candidate mycipher --algorithm speck64
    """
    written = new_candidate(name, algorithm, folder, sources, arduino)
    for path in written.files:
        say(f"Wrote {path}")
    say("Next:")
    if written.path_to_add is not None:
        say(f'  export BANCADA_PATH="{written.path_to_add}"')
    if sources is None and arduino is None:
        say(f"  fill in {written.files[-1]}")
    else:
        say(f"  put the library's calls into {written.files[-1]}")
    say(f"  bancada check {name}")


_FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where. Default: the current folder.",
)


@new.command()
@click.argument("name")
@click.option("--like", default="uno", show_default=True, help="The target to copy: bancada list targets.")
@_FOLDER
def target(name: str, like: str, folder: Path) -> None:
    """Write a target: a copy of another one, to be changed.

    Example: bancada new target uno-8mhz --like uno
    """
    from bancada.commands.new_entry import new_target
    from bancada.measure.laboratory import open_laboratory

    laboratory = open_laboratory()
    _next(
        new_target(laboratory, name, laboratory.target(like), folder),
        "change clock, memories and flags in it (docs/reference/toml-target.md has every key)",
        f"bancada run EXPERIMENT --target {name}",
    )


@new.command()
@click.argument("name")
@click.option("--target", "targets", multiple=True, default=("uno",), show_default=True, help="May be repeated.")
@click.option("--candidate", "candidates", multiple=True, default=("tatu",), show_default=True, help="May be repeated.")
@click.option("--algorithm", "algorithms", multiple=True, default=("aes",), show_default=True, help="May be repeated.")
@_FOLDER
def experiment(
    name: str, targets: tuple[str, ...], candidates: tuple[str, ...], algorithms: tuple[str, ...], folder: Path
) -> None:
    """Write an experiment that runs at once: every operation and key size of the algorithms.

    Example: bancada new experiment mine --candidate tatu --candidate tinyaes --algorithm aes
    """
    from bancada.commands.new_entry import new_experiment
    from bancada.measure.laboratory import open_laboratory

    _next(
        new_experiment(open_laboratory(), name, targets, candidates, algorithms, folder),
        "write the question, and change what is measured (docs/reference/toml-experiment.md has every key)",
        f"bancada run {name}",
    )


def _next(written: WrittenEntry, *steps: str) -> None:
    say(f"Wrote {written.path}")
    say("Next:")
    if written.path_to_add is not None:
        say(f'  export BANCADA_PATH="{written.path_to_add}"')
    for step in steps:
        say(f"  {step}")
