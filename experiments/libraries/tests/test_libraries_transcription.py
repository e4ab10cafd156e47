"""The published figures are those of the original: transcription.csv was made from it a second time."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from experiments.libraries.survey import EMPTY_SKETCH_BYTES

pytestmark = pytest.mark.quick

_HERE = Path(__file__).parent
_WORDS = {"OK": "yes", "X": "no", "-": "–"}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_published_csv_is_what_was_printed() -> None:
    published = {
        (row["library"], row["operation"], row["metric"]): float(row["value"])
        for row in _rows(_HERE.parent / "published.csv")
    }
    figures = [row["figure"].rpartition("=") for row in _rows(_HERE / "transcription.csv") if row["figure"]]
    printed = {tuple(name.split(",")): float(value) for name, _, value in figures}
    derived = {name for name in published if name[2] == "flash-added"}
    assert {name: value for name, value in published.items() if name not in derived} == printed
    assert len(derived) == 3
    for library, operation, metric in derived:
        sketch = printed[library, operation, metric.removesuffix("-added")]
        assert published[library, operation, metric] == sketch - EMPTY_SKETCH_BYTES


def test_survey_csv_is_table_1() -> None:
    """The table prints 92 once where it means 192, and a dash for a licence that nobody states."""
    table = [row["printed"].split("; ") for row in _rows(_HERE / "transcription.csv") if row["where"] == "Tabela 1"]
    survey = _rows(_HERE.parent / "survey.csv")
    assert len(table) == len(survey) == 11
    for printed, row in zip(table, survey, strict=True):
        address, keys, modes, licence, *steps = printed
        assert f"github.com/{row['library']}" == address
        assert row["key_bits"].split() == ["192" if bits == "92" else bits for bits in keys.split()]
        assert row["modes"] == modes
        assert row["licence"].lower() == {"-": "none"}.get(licence, licence).lower()
        assert [row["embeds"], row["fips_197"], row["sp800_38a"]] == [_WORDS[step] for step in steps]
