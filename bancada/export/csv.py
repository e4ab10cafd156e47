"""Comma-separated values (RFC 4180): every field, a header line; an empty cell is not measured or withheld."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from bancada.records import Result


def render(results: Sequence[Result]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(Result.__dataclass_fields__), lineterminator="\r\n")
    writer.writeheader()
    for result in results:
        writer.writerow(result.as_dict())
    return text.getvalue()
