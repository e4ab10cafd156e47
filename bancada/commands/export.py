"""`bancada export`: results for other programs and for papers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.commands.language import say
from bancada.commands.options import print_json, print_text, store_option, store_to_read, what_can_be_read
from bancada.model.errors import UserError

if TYPE_CHECKING:
    from bancada.answers.paper.table import Table
    from bancada.answers.report.input import ExperimentSection
    from bancada.measure.read_metrics import Metrics
    from bancada.model.result import Result
    from bancada.plan.laboratory import Laboratory
    from bancada.store.store import Store

_WHAT = ("cases", "published", "findings", "tables", "observations", "figures")


@click.command()
@click.option(
    "--format",
    "format_name",
    default="jsonl",
    show_default=True,
    help="jsonl, csv, markdown, latex, junit, survey, bibtex, or an added one. What is no case has the first four.",
)
@click.option("--experiment", default=None, help="Only this experiment's results.")
@click.option(
    "--what",
    type=click.Choice(_WHAT),
    default="cases",
    show_default=True,
    help="What is exported. All but cases need --experiment.",
)
@click.option("--table", "table_name", default=None, help="Of --what tables or figures: only this one.")
@click.option("--columns", default=None, help="Only these columns, in this order, with commas between them.")
@click.option(
    "--unit",
    "units",
    multiple=True,
    metavar="COLUMN=UNIT",
    help="A column in another unit, such as time_us=ms; may be repeated.",
)
@click.option(
    "--digits",
    type=click.IntRange(1, 15),
    default=None,
    help="So many significant digits in numbers that are not whole, in markdown and latex.",
)
@click.option("--caption", default=None, help="The caption instead of ours.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Of --what figures: the folder for SVG, PDF and data.",
)
@click.option(
    "--schema", is_flag=True, help="Print the JSON Schema of a line of jsonl instead, added metrics included."
)
@store_option
def export(
    format_name: str,
    experiment: str | None,
    what: str,
    table_name: str | None,
    columns: str | None,
    units: tuple[str, ...],
    digits: int | None,
    caption: str | None,
    output: Path | None,
    schema: bool,
    store_path: Path | None,
) -> None:
    """Print stored results for other programs and for papers.

    Example: bancada export --format latex --experiment NAME --what published > table.tex
    """
    from bancada.answers.export import export as render
    from bancada.answers.schema import result_schema
    from bancada.measure.laboratory import open_laboratory
    from bancada.measure.read_metrics import read_metrics

    metrics = read_metrics()
    if schema:
        print_json(result_schema(metrics))
        return
    laboratory = open_laboratory()
    store = store_to_read(store_path)
    if experiment is not None and (what != "cases" or experiment not in store.experiments()):
        laboratory.experiment(experiment)
    laboratory = what_can_be_read(laboratory)
    if what == "cases" and columns is None and caption is None and not units and digits is None:
        results = _results(laboratory, experiment, store)
        print_text(render(results, format_name, metrics, _of_experiment(laboratory, experiment)))
        return
    if experiment is None:
        options = "--columns, --unit, --digits and --caption"
        raise UserError(f"--what '{what}', {options} are of one experiment; name it with --experiment.")
    if what == "figures":
        _write_figures(_section(laboratory, experiment, store, metrics), metrics, output, table_name)
        return
    from bancada.answers.paper.text import render_tables

    tables = _tables(laboratory, experiment, store, metrics, what, table_name)
    chosen = _shown(_chosen(tables, columns, caption), units, digits, format_name)
    print_text(render_tables(chosen, format_name))


def _results(laboratory: Laboratory, experiment: str | None, store: Store) -> list[Result]:
    """The results of one experiment or of all, each with what audits and proofs say of it."""
    from bancada.audit.marks import with_audits
    from bancada.audit.store import read_audits
    from bancada.prove.marks import with_proofs

    audited = with_audits(store.results(experiment), read_audits(store.path))
    return with_proofs(laboratory, audited, store.path)


def _of_experiment(laboratory: Laboratory, experiment: str | None) -> Laboratory:
    """The laboratory with this experiment alone, so that a bibliography has nothing of others."""
    if experiment is None or experiment not in laboratory.experiments:
        return laboratory
    return replace(laboratory, experiments={experiment: laboratory.experiments[experiment]})


def _section(laboratory: Laboratory, experiment: str, store: Store, metrics: Metrics) -> ExperimentSection:
    from bancada.commands.assemble import section_of

    return section_of(laboratory, laboratory.experiment(experiment), store, metrics)


def _tables(
    laboratory: Laboratory, experiment: str, store: Store, metrics: Metrics, what: str, table_name: str | None
) -> tuple[Table, ...]:
    from bancada.answers.paper.of_results import cases_table, observations_table
    from bancada.answers.paper.of_section import findings_table, published_table, section_tables
    from bancada.answers.published import published_figures
    from bancada.model.errors import unknown_name
    from bancada.studies.found import study_of
    from bancada.studies.study import Evidence

    known = laboratory.experiment(experiment)
    if what == "observations":
        return (observations_table(f"{known.title}: observations", store.observations(experiment)),)
    if what == "cases":
        results = _results(laboratory, experiment, store)
        return (cases_table(known.title, results, published_figures(known, results, metrics), metrics),)
    section = _section(laboratory, experiment, store, metrics)
    if what == "published":
        return (published_table(section),)
    if what == "findings":
        return (findings_table(section),)
    study = study_of(known)
    evidence = Evidence(laboratory, known, store.results(experiment), store.observations(experiment))
    tables = (*section_tables(section), *study.tables(study.as_assumed(evidence)))
    if table_name is None:
        return tables
    chosen = tuple(table for table in tables if table.name == table_name)
    if not chosen:
        raise unknown_name("table", table_name, [table.name for table in tables])
    return chosen


def _chosen(tables: tuple[Table, ...], columns: str | None, caption: str | None) -> tuple[Table, ...]:
    if columns is not None:
        tables = tuple(table.with_columns([name.strip() for name in columns.split(",")]) for table in tables)
    return tables if caption is None else tuple(replace(table, caption=caption) for table in tables)


def _shown(
    tables: tuple[Table, ...], units: tuple[str, ...], digits: int | None, format_name: str
) -> tuple[Table, ...]:
    from bancada.answers.paper.digits import in_units, with_digits

    wanted = dict(unit.partition("=")[::2] for unit in units)
    if "" in (*wanted, *wanted.values()):
        raise UserError("--unit is a column and its unit, such as --unit time_us=ms.")
    if digits is not None and format_name in ("csv", "jsonl"):
        raise UserError(f"{format_name} has every digit; --digits is for markdown and latex.")
    tables = tuple(in_units(table, wanted) for table in tables)
    return tables if digits is None else tuple(with_digits(table, digits) for table in tables)


def _write_figures(section: ExperimentSection, metrics: Metrics, output: Path | None, only: str | None) -> None:
    from bancada.answers.paper.figure import write_figure
    from bancada.answers.paper.of_section import figures_of
    from bancada.answers.paper.text import render_tables
    from bancada.model.errors import unknown_name

    if output is None:
        raise UserError("Figures are files: name a folder for them with --output.")
    every = figures_of(section, metrics)
    chosen = [figure for figure in every if only in (None, figure[0])]
    if only is not None and not chosen:
        raise unknown_name("figure", only, [name for name, _, _ in every])
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, plot, table in chosen:
            write_figure(plot, output, name)
            (output / f"{name}.csv").write_text(render_tables([table], "csv"), encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"The figures cannot be written to {output}: {error.strerror}.") from error
    say(f"Wrote {len(chosen)} figures to {output}, each as SVG, PDF and CSV.")
