"""Comma-separated values (RFC 4180): every field, a header line; an empty cell is not measured or withheld."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from bancada.model.result import Result, fields_of


def render(results: Sequence[Result]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=fields_of(results), lineterminator="\r\n")
    writer.writeheader()
    for result in results:
        writer.writerow(result.as_dict())
    return text.getvalue()
