"""The published figures, read out of a transcription that was made apart."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick


def test_the_published_files_are_what_was_printed() -> None:
    """transcription.csv was made from the original a second time."""
    folder = Path(__file__).parent
    keys = {
        "published.csv": ("algorithm", "variant", "operation", "key_bits", "metric"),
        "published-devices.csv": ("device", "subject", "metric"),
    }
    with (folder / "transcription.csv").open(newline="", encoding="utf-8") as file:
        transcribed = list(csv.DictReader(file))
    for name, columns in keys.items():
        with (folder.parent / name).open(newline="", encoding="utf-8") as file:
            published = {",".join(row[one] for one in columns): float(row["value"]) for row in csv.DictReader(file)}
        figures = (row["figure"].rpartition("=") for row in transcribed if row["file"] == name)
        printed = {figure: float(value) for figure, _, value in figures}
        assert published == printed, name
    with (folder.parent / "table1.csv").open(newline="", encoding="utf-8") as file:
        rows = [list(row.values()) for row in csv.DictReader(file)]
    table = [row["figure"].replace(": ", "; ", 1).split("; ") for row in transcribed if row["file"] == "table1.csv"]
    assert rows == table
