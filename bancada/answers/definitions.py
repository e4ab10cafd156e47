"""The table of definitions in docs/reference/metrics.md, made from the metrics; a test holds the two equal."""

from __future__ import annotations

from bancada.measure.read_metrics import Metrics


def definitions_table(metrics: Metrics) -> str:
    """A Markdown table with a line for each metric: its title and its definition."""
    rows = [f"| {metric.title} | {metric.definition} |" for metric in metrics]
    return "\n".join(("| metric | definition |", "|---|---|", *rows)) + "\n"
