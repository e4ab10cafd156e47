"""Every format says what the records say, and nothing in a record can break it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from bancada.answers.export import export as export_by
from bancada.answers.export import formats
from bancada.answers.schema import result_schema
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.result import FIELDS, Result
from bancada.model.status import Fidelity, Status
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick

NASTY = 'a,b "c" | <b>&amp;</b> `x` \\ 50 % of $5 #1 _y_ {z} ~ ^\nnext line \x00\x1f \ud800'
RESULTS = [
    result(),
    result(3000, operation="decrypt", fidelity=Fidelity.MODELLED, fidelity_band_percent=6.6),
    withheld(
        Status.NOT_CONFORMANT, NASTY.replace("\ud800", ""), candidate="nasty & co", implementation="nasty & co/aes128"
    ),
    withheld(Status.FAILED, "no answer", operation="set-key"),
]


METRICS = read_metrics()


def export(results: Sequence[Result], format: str) -> str:
    return export_by(results, format, METRICS, open_laboratory())


def schema() -> dict[str, Any]:
    text = (files("bancada") / "schema" / "result-4.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def problems(record: object) -> list[str]:
    return [error.message for error in Draft202012Validator(schema()).iter_errors(record)]


def lines(results: list[Result]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(results, "jsonl").splitlines()]


def test_the_formats() -> None:
    assert formats() == ["bibtex", "csv", "jsonl", "junit", "latex", "markdown", "survey"]


@pytest.mark.parametrize("format", ["bibtex", "csv", "jsonl", "junit", "latex", "markdown", "survey"])
def test_no_result_is_a_valid_export_too(format: str) -> None:
    assert isinstance(export([], format), str)


# jsonl and its schema


def test_jsonl_has_a_line_for_each_result_with_every_field_in_order() -> None:
    records = lines(RESULTS)
    assert len(records) == len(RESULTS)
    for record, original in zip(records, RESULTS, strict=True):
        assert list(record) == list(FIELDS)
        assert record == {name: getattr(original, name) for name in FIELDS}


def test_the_schema_names_the_fields_of_a_result_in_order() -> None:
    names = list(FIELDS)
    assert list(schema()["properties"]) == names
    assert schema()["required"] == names
    Draft202012Validator.check_schema(schema())


def test_the_schema_is_that_of_the_metrics() -> None:
    """Each figure stands in its metric's file alone: with another description there, bancada/schema/ must be made
    again."""
    assert schema() == result_schema(METRICS)


def test_every_exported_line_is_valid() -> None:
    for record in lines(RESULTS):
        assert problems(record) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"schema": "bancada-result-9"},
        {"status": "fine"},
        {"fidelity": "guessed"},
        {"cycles_median": -1},
        {"cycles_median": 1.5},
        {"key_bits": None},
        {"elf_sha256": "ABC"},
        {"date": "yesterday"},
        {"target": ""},
        {"reason": "an ok result has none"},
        {"status": "failed", "reason": "but it has figures"},
        {"surplus": [1]},
        {"energy_source": 5},
        {"samples": 0},
    ],
)
def test_the_schema_refuses(wrong: dict[str, Any]) -> None:
    assert problems(lines([result()])[0] | wrong) != []


@pytest.mark.parametrize("field", list(FIELDS))
def test_the_schema_misses_no_field(field: str) -> None:
    record = lines([result()])[0]
    del record[field]
    assert problems(record) != []


def test_a_case_that_is_not_ok_says_why_and_withholds_its_figures() -> None:
    record = lines([withheld(Status.DOES_NOT_FIT, "RAM: 12 B too much")])[0]
    assert problems(record) == []
    assert problems(record | {"reason": None}) != []
    assert problems(record | {"flash_bytes": 10}) != []


# csv


def test_csv_reads_back() -> None:
    rows = list(csv.DictReader(io.StringIO(export(RESULTS, "csv"), newline="")))
    assert [row["case"] for row in rows] == [original.case for original in RESULTS]
    assert rows[0]["cycles_median"] == "2000"
    assert rows[0]["status"] == "ok"
    assert rows[0]["reason"] == ""
    assert rows[2]["reason"] == RESULTS[2].reason
    assert rows[2]["cycles_median"] == ""


# markdown


def test_markdown_rows_have_the_cells_of_the_header_whatever_is_in_them() -> None:
    def cells(line: str) -> int:
        return line.replace("\\\\", "").replace("\\|", "").count("|")

    text = export(RESULTS, "markdown").splitlines()
    assert len(text) == 2 + len(RESULTS)
    assert {cells(line) for line in text} == {cells(text[0])}
    assert "<b>" not in "\n".join(text)
    assert "modelled ±6.6 %" in text[3]


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_there_is_a_column_of_audits_where_something_was_audited(format: str) -> None:
    leaking = replace(result(), audit="leaks: branch at xtime.c:112 in xtime")
    assert "Audit" not in export(RESULTS, format)
    text = export([leaking, result()], format)
    assert "Audit" in text
    assert text.count("branch at xtime.c:112 in xtime") == 1


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_there_is_a_column_of_proofs_where_something_is_proved(format: str) -> None:
    proved = replace(result(), proved="in part: its rounds: chacha20_rounds")
    assert "Proved" not in export(RESULTS, format)
    text = export([proved, result()], format)
    assert "Proved" in text
    assert text.count("in part: its rounds: chacha20") == 1
    assert problems(proved.as_dict()) == []
    assert problems(replace(proved, proved="perhaps").as_dict()) != []


# survey


def _survey_line(text: str, first: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_survey_gives_the_fastest_of_each_library_by_target_the_slowest_device_first() -> None:
    text = export(
        [
            result(500, target="stm32f4", candidate="nettle", implementation="nettle/aes128"),
            result(2000, candidate="bearssl", implementation="bearssl/aes128/small"),
            result(1000, candidate="bearssl", implementation="bearssl/aes128/big"),
            result(10, candidate="bearssl", implementation="bearssl/aes256/big", key_bits=256),
            result(10, candidate="bearssl", implementation="bearssl/aes128/big", operation="decrypt"),
            result(900),
            withheld(Status.DOES_NOT_FIT, "2 B too much", candidate="nettle", implementation="nettle/aes128"),
            withheld(
                Status.DOES_NOT_BUILD, "nobody tried", candidate="openssl", implementation="openssl/aes128", flags=""
            ),
        ],
        "survey",
    )
    assert "## AES, key of 128 bits, 16 B: encrypt" in text
    assert "decrypt" not in text
    assert _survey_line(text, "library") == ["uno", "stm32f4"]
    assert _survey_line(text, "bearssl") == ["1\N{NARROW NO-BREAK SPACE}000", "·"]
    assert _survey_line(text, "nettle") == ["*does not fit*", "500"]
    assert _survey_line(text, "openssl") == ["–", "–"]
    assert _survey_line(text, "tatu") == ["900", "·"]
    assert _survey_line(text, "*of registries, right*") == ["1", "1"]  # Tatu is of none
    assert "| `nettle/aes128` | uno | does not fit | 2 B too much |" in text
    assert "nobody tried" not in text


def test_the_survey_marks_what_leaks_where_it_is_the_fastest() -> None:
    leaking = replace(
        result(1000, candidate="yubikey", implementation="yubikey/aes128/small"),
        audit="leaks: branch at ykaes.c:112 in xtime",
    )
    clean = replace(result(900), audit="clean")
    text = export([leaking, clean], "survey")
    assert _survey_line(text, "yubikey") == ["1\N{NARROW NO-BREAK SPACE}000 †"]
    assert _survey_line(text, "tatu") == ["900"]
    assert "| `yubikey/aes128/small` | uno | leaks: branch at ykaes.c:112 in xtime |" in text


def test_the_survey_cuts_long_hex_and_nothing_in_a_reason_breaks_its_table() -> None:
    text = export([withheld(Status.NOT_CONFORMANT, f"expected {'ab' * 16}, got a|b")], "survey")
    assert "expected abababab…, got a\\|b |" in text


# latex


def test_latex_rows_have_the_columns_of_the_table_and_escape_what_tex_takes_for_its_own() -> None:
    text = export(RESULTS, "latex").splitlines()
    columns = len(text[0].removeprefix(r"\begin{tabular}{").removesuffix("}"))
    rows = [line for line in text if line.endswith(r"\\")]
    assert len(rows) == 1 + len(RESULTS)
    assert {line.replace(r"\&", "").count("&") for line in rows} == {columns - 1}
    nasty = rows[3]
    for part in (
        r"\%",
        r"\$5",
        r"\#1",
        r"\_y\_",
        r"\{z\}",
        r"\textasciitilde{}",
        r"\textasciicircum{}",
        r"\textbackslash{}",
    ):
        assert part in nasty


def test_latex_keeps_two_hyphens_apart() -> None:
    assert "-{}-param" in export([result(optimisation="--param")], "latex")


# junit


def test_junit_is_red_for_what_is_not_ok() -> None:
    root = ElementTree.fromstring(export(RESULTS, "junit"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "1")
    cases = root.findall("./testsuite[@name='uno']/testcase")
    assert [case.get("name") for case in cases] == [original.case for original in RESULTS]
    assert [len(case.findall("failure")) for case in cases] == [0, 0, 1, 0]
    assert [len(case.findall("error")) for case in cases] == [0, 0, 0, 1]
    failure = cases[2].find("failure")
    assert failure is not None
    assert failure.get("type") == "not-conformant"
    assert "<b>&amp;</b>" in (failure.text or "")


@pytest.mark.parametrize("status", [Status.DOES_NOT_BUILD, Status.DOES_NOT_FIT, Status.NOT_CONFORMANT])
def test_junit_counts_each_way_of_elimination_as_failure(status: Status) -> None:
    root = ElementTree.fromstring(export([withheld(status, "why")], "junit"))
    assert (root.get("failures"), root.get("errors")) == ("1", "0")


def test_junit_carries_the_figures() -> None:
    root = ElementTree.fromstring(export([result()], "junit"))
    figures = {item.get("name"): item.get("value") for item in root.iter("property")}
    assert figures["cycles_median"] == "2000"
    assert figures["ram"] == "200"
    assert figures["fidelity"] == "exact"


def test_junit_survives_characters_that_xml_forbids() -> None:
    failure = ElementTree.fromstring(export([withheld(Status.FAILED, NASTY)], "junit")).find(".//error")
    assert failure is not None
    assert "\N{REPLACEMENT CHARACTER}" in (failure.text or "")


# formats from outside


def test_a_file_in_a_folder_of_bancada_path_is_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "names.py").write_text(
        "def render(results):\n    return ','.join(result.candidate for result in results)\n"
    )
    (folder / "_shared.py").write_text("raise RuntimeError('not a format')\n")
    monkeypatch.setenv("BANCADA_PATH", str(tmp_path))
    assert "names" in formats()
    assert "_shared" not in formats()
    assert export([result(), result(candidate="other")], "names") == "tatu,other"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [("render = 3\n", "has no function render"), ("import nothing_of_that_name\n", "does not load")],
)
def test_a_broken_format_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, sentence: str) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "broken.py").write_text(source)
    monkeypatch.setenv("BANCADA_PATH", str(tmp_path))
    with pytest.raises(UserError, match=sentence) as error:
        export([result()], "broken")
    assert str(folder / "broken.py") in str(error.value)


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'jsonl'"):
        export([], "json")
