"""The JSON Schema of one line of `bancada export --format jsonl`: what identifies a case, and the figures that the
metrics declare."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from bancada.measure.metric import Figure
from bancada.measure.read_metrics import Metrics
from bancada.model.result import FIELDS

SCHEMA_FILE = "result-4.schema.json"


def result_schema(metrics: Metrics) -> dict[str, Any]:
    """The schema of results that have these metrics' figures.

    bancada/schema/result-4.schema.json is the one of the laboratory's own; the metrics from outside add theirs to it.
    """
    schema: dict[str, Any] = json.loads((files("bancada") / "schema" / SCHEMA_FILE).read_text(encoding="utf-8"))
    figures = {figure.field: figure for figure in metrics.figures}
    properties = schema["properties"]
    schema["properties"] = {
        name: _property(figures[name]) if name in figures else properties[name] for name in (*FIELDS, *figures)
    }
    withheld = schema["else"]["properties"]
    schema["else"]["properties"] = {"reason": withheld["reason"]} | {name: {"type": "null"} for name in figures}
    return schema


def _property(figure: Figure) -> dict[str, Any]:
    described: dict[str, Any] = {"description": figure.description, "type": [figure.kind, "null"]}
    return described if figure.kind == "string" else described | {"minimum": figure.minimum}
