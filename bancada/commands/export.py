"""`bancada export`: results for other programs and for papers."""

from __future__ import annotations

from pathlib import Path

import click

from bancada.commands.options import print_json, store_option, store_to_read


@click.command()
@click.option(
    "--format",
    "format_name",
    default="jsonl",
    show_default=True,
    help="jsonl, csv, markdown, latex, junit, survey, bibtex, or an added one.",
)
@click.option("--experiment", default=None, help="Only this experiment's results.")
@click.option(
    "--schema", is_flag=True, help="Print the JSON Schema of a line of jsonl instead, added metrics included."
)
@store_option
def export(format_name: str, experiment: str | None, schema: bool, store_path: Path | None) -> None:
    """Print stored results for other programs and for papers.

    Example: bancada export --format latex --experiment NAME > table.tex
    """
    from bancada.answers.export import export as render
    from bancada.answers.schema import result_schema
    from bancada.audit.marks import with_audits
    from bancada.audit.store import read_audits
    from bancada.measure.laboratory import open_laboratory
    from bancada.measure.read_metrics import read_metrics

    metrics = read_metrics()
    if schema:
        print_json(result_schema(metrics))
        return
    laboratory, store = open_laboratory(), store_to_read(store_path)
    if experiment is not None and experiment not in store.experiments():
        laboratory.experiment(experiment)
    results = with_audits(store.results(experiment), read_audits(store.path))
    click.echo(render(results, format_name, metrics, laboratory), nl=False)
