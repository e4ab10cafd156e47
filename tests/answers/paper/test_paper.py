"""What goes into a paper says what the records say, and a compiler takes it."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from bancada.answers.paper.bibtex import bibliography
from bancada.answers.paper.digits import in_units, significant, with_digits
from bancada.answers.paper.figure import write_figure
from bancada.answers.paper.latex import latex_table
from bancada.answers.paper.of_results import cases_table, observations_table
from bancada.answers.paper.of_section import bars_table, findings_table, plot_table, published_table, section_tables
from bancada.answers.paper.table import Column, Table, named
from bancada.answers.paper.text import render_tables
from bancada.answers.report.bars import Bar, BarPlot
from bancada.answers.report.input import ExperimentSection, ExtraSection, Series, XYPlot
from bancada.audit.findings import Audit
from bancada.audit.store import store_audit
from bancada.catalogue.paths import data_root
from bancada.commands.command_line import cli
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.finding import Finding, Observation, PublishedFigure, Verdict
from bancada.model.status import Fidelity, Status
from bancada.store.store import Store
from tests.answers.paper.documents import LONG, NASTY, TABLE
from tests.answers.paper.latex_checker import problems
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick

FINDING = Finding(
    "Planted",
    "3 times",
    "2.9 times",
    Verdict.UNDECIDED,
    "Because.",
    draws_alike=70,
    judged_for="plain programs",
    within="ratio 3 ±20 %",
    unmoved=Verdict.HOLDS,
    varied=("delay, 1 to 10 ms",),
    made_by=("delay 10 ms gives does not hold",),
)
PLOT = XYPlot(
    "Time by packet",
    "packet, KiB",
    "time, ms",
    (Series("AES & RC6", ((1.0, 10.0), (2.0, 2000.0)), band_percent=33.0), Series("", ((1.0, 5.0),), joined=False)),
    "Modelled.",
    levels=(("a level", 7.0),),
)


def _published(fidelity: Fidelity | None = Fidelity.MODELLED, band: float | None = 33.0) -> PublishedFigure:
    return PublishedFigure("e", "AES", "time_ms", "ms", 509.0, 530.0, 530 / 509, fidelity, result().case, "", band)


def _section(**fields: object) -> ExperimentSection:
    section = ExperimentSection("e", "A title", "?", "", "", ())
    return replace(section, **fields)  # type: ignore[arg-type]


# LaTeX


def test_a_longtable_has_what_a_paper_needs_and_no_mistake() -> None:
    text = latex_table(TABLE)
    assert problems(text) == []
    for needed in (r"\caption{The caption: a \& b", r"\label{tab:nasty}", r"\endhead", r"p{"):
        assert needed in text
    # Equal notes are one footnote: rows 1 and 3 share it.
    assert len(re.findall(r"\\footnotesize\\textsuperscript", text)) == 2
    assert text.count(r"\textsuperscript{a}") == 3 and text.count(r"\textsuperscript{b}") == 2
    assert r"0.5\textsuperscript{a} \\" in text and r"12\textsuperscript{b} \\" in text
    assert " & -- & -- & 12" in text  # an empty word and a missing number


@pytest.mark.parametrize("words", [4, 30])
def test_the_columns_of_a_wide_table_share_the_line(words: int) -> None:
    """Twelve columns of words; a word of 30 letters in each is more than a line has. Narrow tables are as they were."""
    columns = tuple(Column(f"c{place}", "Head of several words") for place in range(12))
    table = Table("wide", "Wide", columns, ((("x" * words + " ") * 3,) * 12,))
    text = latex_table(table)
    assert problems(text) == [] and text.startswith(r"\begingroup\footnotesize")
    shares = [float(one) for one in re.findall(r"p\{([\d.]+)\\linewidth\}", text)]
    assert len(shares) == 12 and sum(shares) <= 1 - 12 * 3 / 150 + 0.01
    assert not latex_table(replace(table, columns=columns[:2], rows=(("a", "b"),))).startswith(r"\begingroup")


def test_a_table_without_notes_has_no_footnotes() -> None:
    text = latex_table(replace(TABLE, notes=()))
    assert problems(text) == [] and "textsuperscript" not in text and "endlastfoot" not in text


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (r"\end{longtable}", "", "is not closed"),
        (r"\toprule", r"\topruler", "is not known"),
        (r"\&", "&", "cells in a table of 4"),
        (r"\%", "%", "not escaped"),
        (r"\_", "_", "not escaped"),
        (r"\caption{", r"\caption", "braces"),
        (r"\textmu{}", "µ", "U+00B5"),
    ],
)
def test_the_checker_sees_each_kind_of_mistake(right: str, wrong: str, said: str) -> None:
    text = latex_table(TABLE)
    assert right in text
    assert any(said in one for one in problems(text.replace(right, wrong)))


# The tables of an experiment


def test_findings_carry_their_verdict_and_how_sure_it_is() -> None:
    (record,) = [
        json.loads(line)
        for line in render_tables([findings_table(_section(findings=(FINDING,)))], "jsonl").splitlines()
    ]
    assert record["verdict"] == "undecided" and record["draws_alike"] == 70
    assert record["judged_for"] == "plain programs" and record["within"] == "ratio 3 ±20 %"
    assert record["varied"] == "delay, 1 to 10 ms" and record["made_by"] == "delay 10 ms gives does not hold"


def test_published_figures_have_the_band_of_ours_as_a_note() -> None:
    table = published_table(
        _section(published=(_published(), _published(Fidelity.EXACT, None), _published(None, None)))
    )
    assert table.notes == ("Modelled, ±33 %.", "Exact: every cycle counted.", "")
    assert table.rows[0][3:6] == (509.0, 530.0, 1.041)
    assert "530\\textsuperscript{a}" in render_tables([table], "latex")
    assert "ours" in [column.name for column in table.columns]


def test_sections_are_tables_and_plots_are_their_data() -> None:
    part = ExtraSection("Whole devices", columns=("", "Flash, B"), rows=(("aes", "8 486"),), plots=(PLOT,))
    tables = section_tables(_section(parts=(part, part)))
    assert [one.name for one in tables] == [
        "whole-devices",
        "data-time-by-packet",
        "whole-devices-2",
        "data-time-by-packet-2",
    ]
    assert tables[1].rows[0] == ("AES & RC6", "", 1.0, 10.0, 33.0)
    assert tables[0].with_columns(["flash-b"]).rows == (("8 486",),)


def test_cases_have_the_columns_that_were_chosen_and_the_published_figure_beside_them() -> None:
    results = [result(), withheld(Status.FAILED, "no answer", operation="set-key")]
    table = cases_table("T", results, (_published(),), read_metrics())
    chosen = table.with_columns(["algorithm", "cycles_median", "published", "ratio"])
    assert chosen.rows == (("aes", result().cycles_median, 509.0, 1.041),)
    assert len(chosen.notes) == 1
    with pytest.raises(UserError, match="There is no column 'cicles_median'.*cycles_median"):
        table.with_columns(["cicles_median"])


def test_every_sample_of_an_observation_is_a_row() -> None:
    figures = {"total_ns": [3, 4], "shares": {"awake": 0.1}, "lost": 0}
    observation = Observation("exchange", "a", Fidelity.MEASURED, {"delay_us": 1}, figures, "2026-11-23")
    table = observations_table("T", [observation])
    assert [row[5:] for row in table.rows] == [
        ("total_ns", 0, 3),
        ("total_ns", 1, 4),
        ("shares.awake", None, 0.1),
        ("lost", None, 0),
    ]


# Text


@pytest.mark.parametrize("format", ["csv", "jsonl", "markdown", "latex"])
def test_every_format_keeps_every_row(format: str) -> None:
    text = render_tables([TABLE], format)
    for word in ("first", "last", "short"):
        assert word in text


def test_csv_is_read_back_as_it_was() -> None:
    rows = list(csv.reader(io.StringIO(render_tables([TABLE], "csv"))))
    assert rows[0] == ["name", "words", "published", "ours", "note"]
    assert rows[1] == [NASTY, LONG, "1234567.0", "0.5", TABLE.notes[0]]
    assert rows[2][2] == ""


def test_several_tables_are_no_csv_and_an_unknown_format_is_named() -> None:
    with pytest.raises(UserError, match="--table"):
        render_tables([TABLE, TABLE], "csv")
    with pytest.raises(UserError, match="junit"):
        render_tables([TABLE], "junit")


def test_a_name_is_letters_digits_and_dashes() -> None:
    assert named("Published ÷ ours, µs (é)") == "published-ours-s-e"
    assert named("÷") == "table"


# Figures


def test_a_figure_is_svg_and_pdf_with_all_its_words(tmp_path: Path) -> None:
    svg, pdf = write_figure(PLOT, tmp_path, "time")
    words = "".join(ElementTree.parse(svg).getroot().itertext())
    for word in ("AES & RC6", "packet, KiB", "time, ms", "Time by packet", "a level"):
        assert word in words
    assert pdf.read_bytes().startswith(b"%PDF-")
    before = svg.read_bytes(), pdf.read_bytes()
    write_figure(PLOT, tmp_path, "time")
    assert (svg.read_bytes(), pdf.read_bytes()) == before


BARS = BarPlot(
    "Cycles: encrypt on uno",
    "cycles (less is better)",
    (
        Bar("AES & co", (3.0, 4.0), "7 B", ("red", "blue"), "AES: 7 B (code 3, table 4)"),
        Bar("other", (30.0, 1.0), "31 B", ("red", "blue"), "other: 31 B", 29.0, 33.0),
    ),
    "Exact.",
    ("code", "table"),
)


def test_bars_are_svg_and_pdf_with_their_data(tmp_path: Path) -> None:
    alone = replace(BARS, bars=tuple(replace(bar, parts=(bar.value,)) for bar in BARS.bars), parts=())
    dots = replace(alone, bars=(*alone.bars, replace(alone.bars[0], parts=(700.0,))))
    for plot in (BARS, alone, dots):
        svg, pdf = write_figure(plot, tmp_path, "bars")
        words = "".join(ElementTree.parse(svg).getroot().itertext())
        for word in ("AES & co", "31 B", "cycles (less is better)", *plot.parts):
            assert word in words
        assert pdf.read_bytes().startswith(b"%PDF-")
    table = bars_table(BARS)
    assert [column.name for column in table.columns] == ["name", "code", "table", "low", "high", "words"]
    assert table.rows[1] == ("other", 30.0, 1.0, 29.0, 33.0, "other: 31 B")


def test_the_data_of_a_figure_is_every_point() -> None:
    assert len(plot_table(PLOT).rows) == 3


# Bibliography


def test_every_study_has_an_entry_and_so_has_the_tool() -> None:
    experiments = open_laboratory().experiments
    text = bibliography(experiments.values(), data_root() / "CITATION.cff")
    assert "@software{bancada," in text and "version = {" in text
    for name in ("sensor", "libraries", "beaglebone", "biglittle", "channel"):
        assert re.search(rf"@\w+\{{bancada:{name},", text), name
    assert text.count("{") == text.count("}")
    with pytest.raises(UserError, match="no citation"):
        bibliography((), Path("nowhere/CITATION.cff"))


# The command


def _run(store: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["export", "--store", str(store), *words])
    return done.exit_code, done.output


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "results.sqlite"
    store = Store(path)
    for name in ("plain", "small"):
        one = result(target="uno", candidate="tatu", implementation=f"tatu/{name}", variant=name)
        store.put("sensor", 0, name, one)
    return path


def test_the_command_exports_what_is_no_case(stored: Path, tmp_path: Path) -> None:
    code, text = _run(stored, "--experiment", "sensor", "--what", "findings", "--format", "csv")
    assert code == 0 and text.startswith("claim,judged_for,")
    words = ("--columns", "algorithm,published", "--caption", "Mine", "--format", "latex")
    code, text = _run(stored, "--experiment", "sensor", *words)
    assert code == 0 and r"\caption{Mine}" in text and problems(text) == []
    code, text = _run(stored, "--experiment", "sensor", "--what", "figures", "--output", str(tmp_path / "figures"))
    files = sorted((tmp_path / "figures").iterdir())
    bars = [file.name for file in files if file.name.startswith("time-encrypt")]
    assert code == 0 and f"Wrote {len(files) // 3} figures" in text
    assert [Path(name).suffix for name in bars] == [".csv", ".pdf", ".svg"]
    only = ("--what", "figures", "--table", Path(bars[0]).stem, "--output", str(tmp_path / "one"))
    assert "Wrote 1 figures" in _run(stored, "--experiment", "sensor", *only)[1]


def test_bibtex_of_an_experiment_is_the_tool_and_the_study(stored: Path) -> None:
    code, text = _run(stored, "--experiment", "sensor", "--format", "bibtex")
    assert code == 0 and re.findall(r"^@\w+\{(.*),$", text, re.MULTILINE) == ["bancada", "bancada:sensor"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--what", "findings"), "--experiment"),
        (("--columns", "algorithm"), "--experiment"),
        (("--what", "figures", "--experiment", "sensor"), "--output"),
        (("--what", "tables", "--experiment", "sensor", "--table", "none"), "no table 'none'"),
        (("--what", "figures", "--experiment", "sensor", "--table", "none", "--output", "x"), "no figure 'none'"),
        (("--what", "findings", "--experiment", "sensor", "--columns", "clam"), "no column 'clam'"),
    ],
)
def test_a_mistake_is_one_sentence(stored: Path, words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(cli, ["export", "--store", str(stored), *words])
    assert done.exit_code != 0
    assert said in f"{done.output}{done.exception}"


def test_a_table_keeps_its_columns_beside_its_cells() -> None:
    table = Table("t", "T", (Column("a", "A"), Column("b", "B")), (("1", "2"),))
    assert table.with_columns(["b", "a"]).rows == (("2", "1"),)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (2.9, 3, "2.90"),
        (9.996, 3, "10.0"),
        (0.00123456, 2, "0.0012"),
        (12345.678, 3, "12\u202f300"),
        (-0.5, 1, "-0.5"),
        (99.5, 2, "100"),
        (1e-9, 2, "0.0000000010"),
    ],
)
def test_significant_digits(value: float, digits: int, text: str) -> None:
    assert significant(value, digits) == text


def test_a_column_in_another_unit_and_with_other_digits() -> None:
    columns = (Column("case", "Case"), Column("time_us", "Time (µs)", True), Column("cycles", "Cycles (cycles)", True))
    table = Table("t", "T", columns, (("a", 1234.5678, 19753), ("b", None, 1)))
    shown = with_digits(in_units(table, {"time_us": "ms"}), 3)
    assert [column.title for column in shown.columns] == ["Case", "Time (ms)", "Cycles (cycles)"]
    assert [column.name for column in shown.columns] == ["case", "time_ms", "cycles"]
    assert shown.rows == (("a", "1.23", 19753), ("b", None, 1))
    sizes = Table("t", "T", (Column("flash_bytes", "Flash (B)", True), Column("x-ms", "X (ms)", True)), ((2048, 1),))
    names = [column.name for column in in_units(sizes, {"flash_bytes": "KiB", "x-ms": "us"}).columns]
    assert names == ["flash_kib", "x-us"]
    joules = Table("t", "T", (Column("energy_uj", "Energy (µJ)", True),), ((7.2,),))
    [[energy]] = in_units(joules, {"energy_uj": "nWh"}).rows
    assert energy == pytest.approx(2.0)
    assert in_units(table, {"time_us": "us"}).columns[1].title == "Time (µs)"
    for units, said in (
        ({"tim_us": "ms"}, "time_us"),
        ({"time_us": "mJ"}, "write one of ns, µs, ms, s, not mJ"),
        ({"case": "ms"}, "has no unit"),
        ({"cycles": "ms"}, "has no unit"),
    ):
        with pytest.raises(UserError, match=said):
            in_units(table, units)


def test_chosen_columns_have_what_audits_say(stored: Path) -> None:
    """As the export without --columns has it."""
    audit = Audit(
        "uno", "tatu/small", "encrypt", "-Os", result().compiler, "simulator", 4, (), None, None, "2026-11-21"
    )
    store_audit(stored, audit)
    code, text = _run(stored, "--experiment", "sensor", "--columns", "variant,audit", "--format", "csv")
    assert (code, text.splitlines()) == (0, ["variant,audit,note", "plain,,Exact.", "small,clean,Exact."])


@pytest.mark.parametrize("table", ["audit", "proof"])
def test_a_damaged_record_beside_the_results_is_one_sentence(stored: Path, table: str) -> None:
    audit = Audit(
        "uno", "tatu/small", "encrypt", "-Os", result().compiler, "simulator", 4, (), None, None, "2026-11-21"
    )
    store_audit(stored, audit)
    with sqlite3.connect(stored) as database:
        if table == "proof":
            database.execute("CREATE TABLE proof (key, record)")
            database.execute("INSERT INTO proof VALUES ('k', '[]')")
        else:
            database.execute("UPDATE audit SET record = json_set(record, '$.later', 1)")
    database.close()
    done = CliRunner().invoke(cli, ["export", "--store", str(stored)])
    assert isinstance(done.exception, UserError)
    assert f" in {stored} cannot be read: a record is damaged or of another version (" in str(done.exception)


def test_export_takes_units_and_digits(stored: Path) -> None:
    [time_us] = {one.time_us for one in Store(stored, to_read=True).results("sensor")}
    assert time_us is not None
    command = ("--experiment", "sensor", "--columns", "variant,time_us")
    code, text = _run(stored, *command, "--format", "markdown", "--unit", "time_us=ms", "--digits", "4")
    assert code == 0, text
    assert "Time (ms)" in text
    assert f"| plain | {significant(time_us / 1000, 4)} |" in text
    code, text = _run(stored, *command, "--format", "csv", "--unit", "time_us=ms")
    assert text.splitlines()[0] == "variant,time_ms,note"
    assert {float(row["time_ms"]) for row in csv.DictReader(text.splitlines())} == {time_us / 1000}
    for options, said in ((("--unit", "time_us"), "such as"), (("--digits", "3", "--format", "csv"), "every digit")):
        done = CliRunner().invoke(cli, ["export", "--store", str(stored), *command, *options])
        assert done.exit_code != 0
        assert said in done.output + str(done.exception)
