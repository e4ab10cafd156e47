"""`bancada list`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click

from bancada.catalogue.candidate import Candidate, GitSource, filled
from bancada.commands.options import console, json_option, print_json
from bancada.language.spoken import spoken
from bancada.model.errors import UserError
from bancada.plan.laboratory import Laboratory


@dataclass(frozen=True)
class _Listing:
    """A table: its title, its columns, its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _experiments(laboratory: Laboratory) -> _Listing:
    rows = tuple((one.name, one.question) for _, one in sorted(laboratory.experiments.items()))
    return _Listing("Experiments", ("experiment", "question"), rows)


def _targets(laboratory: Laboratory) -> _Listing:
    rows = tuple(
        (one.name, one.title, f"{one.clock_hz / 1e6:g} MHz", f"{one.flash_bytes} B", f"{one.ram_bytes} B")
        for _, one in sorted(laboratory.targets.items())
    )
    return _Listing("Targets", ("target", "device", "clock", "flash", "RAM"), rows)


def _fetched_from(candidate: Candidate) -> str:
    source = candidate.source
    if isinstance(source, GitSource):
        return f"{source.registry} {source.address} {source.commit[:12]}"
    return f"{source.registry} {source.package} {source.version}" if source else "this repository"


def _candidates(laboratory: Laboratory) -> _Listing:
    rows = []
    for _, one in sorted(laboratory.candidates.items()):
        rows.append((one.name, f"{one.title} {one.version}", one.licence, _fetched_from(one)))
    return _Listing("Candidates", ("candidate", "library", "licence", "fetched from"), tuple(rows))


def _implementations(laboratory: Laboratory) -> _Listing:
    rows = [
        (
            f"{one.name}/{filled(row.name, variant, key_bits)}",
            row.algorithm,
            variant,
            str(key_bits),
            " ".join(row.operations),
        )
        for _, one in sorted(laboratory.candidates.items())
        for row in one.implementation
        for variant in row.variant
        for key_bits in row.key_bits
    ]
    columns = ("implementation", "algorithm", "variant", "key bits", "operations")
    return _Listing("Implementations", columns, tuple(rows))


def _engines(laboratory: Laboratory) -> _Listing:
    from bancada.engines.found import read_engines

    rows = []
    for name, engine in sorted(read_engines().items()):
        used_by = sorted({target.device for target in laboratory.targets.values() if target.engine.name == name})
        about = (type(engine).__doc__ or "").strip().partition("\n")[0]
        rows.append((name, about, ", ".join(used_by)))
    return _Listing("Engines", ("engine", "is", "executes firmware for"), tuple(rows))


def _metrics(laboratory: Laboratory) -> _Listing:
    from bancada.measure.read_metrics import read_metrics

    rows = tuple((metric.name, metric.unit, metric.definition) for metric in read_metrics())
    return _Listing("Metrics", ("metric", "unit", "definition"), rows)


def _formats(laboratory: Laboratory) -> _Listing:
    from bancada.answers.export import formats

    return _Listing("Export formats (bancada export --format)", ("format",), tuple((name,) for name in formats()))


def _primitives(laboratory: Laboratory) -> _Listing:
    rows = [(one.name, one.title, ", ".join(one.algorithms)) for one in laboratory.primitives.values()]
    return _Listing("Primitives", ("primitive", "is", "algorithms that can be judged"), tuple(rows))


def _compilers(laboratory: Laboratory) -> _Listing:
    from bancada.compilers.compilers import rows_of_compilers

    columns = ("compiler", "for", "version", "program")
    return _Listing(
        "Compilers of this machine (--compiler)", columns, tuple(rows_of_compilers(laboratory.targets.values()))
    )


_KINDS: dict[str, Callable[[Laboratory], _Listing]] = {
    "experiments": _experiments,
    "targets": _targets,
    "candidates": _candidates,
    "implementations": _implementations,
    "engines": _engines,
    "metrics": _metrics,
    "primitives": _primitives,
    "formats": _formats,
    "compilers": _compilers,
}
# Columns whose cells are sentences; in the others are names and figures.
_PROSE = ("question", "device", "unit", "library", "licence", "is", "definition", "fetched from", "version")
# Left out of `all`: long, or slow to find out.
_NOT_IN_ALL = ("implementations", "compilers")


@click.command("list")
@click.argument("kind", type=click.Choice([*_KINDS, "all"]), default="all")
@json_option
def list_entries(kind: str, as_json: bool) -> None:
    """List experiments, targets, candidates, implementations, engines, metrics, primitives, export formats, and the
    compilers of this machine.

    Example: bancada list candidates
    """
    from bancada.measure.laboratory import open_laboratory

    kinds = [name for name in _KINDS if name not in _NOT_IN_ALL] if kind == "all" else [kind]
    laboratory, broken = open_laboratory().readable()
    listings = {name: _KINDS[name](laboratory) for name in kinds}
    _print(listings, as_json)
    if broken:
        others = f" {len(broken) - 1} more cannot be read." if len(broken) > 1 else ""
        raise UserError(f"{broken[0]}{others}")


def _print(listings: dict[str, _Listing], as_json: bool) -> None:
    if as_json:
        print_json(
            {
                name: [dict(zip(listing.columns, row, strict=True)) for row in listing.rows]
                for name, listing in listings.items()
            }
        )
        return
    from rich.table import Table
    from rich.text import Text

    for listing in listings.values():
        table = Table(*listing.columns, title=listing.title)
        for row in listing.rows:
            cells = zip(listing.columns, row, strict=True)
            table.add_row(*(Text(spoken().gettext(cell) if name in _PROSE else cell) for name, cell in cells))
        console().print(table)
