"""`bancada new`: folders to begin from."""

from __future__ import annotations

from pathlib import Path

import click

from bancada.new_candidate import ALGORITHMS, new_candidate


@click.group()
def new() -> None:
    """Write a folder to begin from: a candidate of your own.

    Example: bancada new candidate mycipher
    """


@new.command()
@click.argument("name")
@click.option("--algorithm", type=click.Choice(ALGORITHMS), default="aes", show_default=True)
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Where. Default: the current folder."
)
@click.option(
    "--sources", type=click.Path(exists=True, file_okay=False, path_type=Path), default=None,
    help="A folder of C, C++ or assembly sources that is there already.",
)  # fmt: skip
@click.option(
    "--arduino", type=click.Path(exists=True, file_okay=False, path_type=Path), default=None,
    help="The folder of an Arduino library that is there already.",
)  # fmt: skip
def candidate(name: str, algorithm: str, folder: Path, sources: Path | None, arduino: Path | None) -> None:
    """Write a candidate that builds, and fails conformance until it is filled in.

    Example: bancada new candidate mycipher --algorithm speck64
    """
    written = new_candidate(name, algorithm, folder, sources, arduino)
    for path in written.files:
        click.echo(f"Wrote {path}")
    click.echo("Next:")
    if written.path_to_add is not None:
        click.echo(f'  export BANCADA_PATH="{written.path_to_add}"')
    if sources is None and arduino is None:
        click.echo(f"  fill in {written.files[-1]}")
    else:
        click.echo(f"  put the library's calls into {written.files[-1]}")
    click.echo(f"  bancada check {name}")
