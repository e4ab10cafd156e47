"""A metric from outside stands wherever ours do, with no edit: its file is all there is of it."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

from bancada.answers.best import best
from bancada.answers.compare import compare, render_comparison
from bancada.answers.definitions import definitions_table
from bancada.answers.export import export
from bancada.answers.pick import Question, pick, render_pick
from bancada.answers.published import published_figures
from bancada.answers.ranking import study_table
from bancada.answers.report.input import ExperimentSection, ReportInput
from bancada.answers.report.page import draw_report
from bancada.answers.report.table import table
from bancada.answers.schema import result_schema
from bancada.measure.derive import derive
from bancada.measure.laboratory import open_laboratory
from bancada.measure.metric import Metric
from bancada.measure.read_metrics import Metrics, read_metrics
from bancada.measure.samples import Run
from bancada.model.build import Build
from bancada.model.errors import UserError
from bancada.model.result import Result
from bancada.model.run import Region
from bancada.model.status import Fidelity, Status
from bancada.plan.plan import plan
from bancada.store.store import Store, result_from_dict
from tests.example_results import result
from tests.outside import METRIC, add

pytestmark = pytest.mark.quick

FIELD = "throughput_bytes_per_s"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Metrics:
    monkeypatch.setenv("BANCADA_PATH", str(add(tmp_path / "mine")))
    return read_metrics()


def fast(cycles: int, **changes: Any) -> Result:
    """A result with the added figure: 16 B in cycles / 16 µs."""
    made = result(cycles, **changes)
    return replace(made, added=((FIELD, 16 / (cycles / 16) * 1e6),))


SLOW, FAST = fast(2000), fast(1000, candidate="other", implementation="other/aes128")


def _derived(metrics: Metrics) -> Result:
    laboratory = open_laboratory()
    workloads = plan(laboratory, laboratory.experiment("sensor"), ("uno",), ("tatu",), quick=True)
    case = next(case for workload in workloads for case in workload.cases if case.operation == "encrypt")
    build = Build(Status.OK, None, "elf", "ab" * 32, "gcc", "-Os")
    run = Run({case: (Region(1600, None, 9, 9),)}, {}, None, "simavr")
    return derive(case, build, None, run, Status.OK, None, metrics)


def test_it_is_derived_of_a_run_and_stands_in_the_record_with_the_fidelity_of_the_result(metrics: Metrics) -> None:
    made = _derived(metrics)
    assert made.value(FIELD) == 160_000
    assert made.as_dict()[FIELD] == 160_000
    assert made.fidelity is Fidelity.EXACT
    assert made.time_us == 100


def test_where_it_is_not_asked_for_the_record_is_as_before() -> None:
    assert FIELD not in _derived(read_metrics()).as_dict()


def test_what_it_makes_of_a_run_is_part_of_what_a_result_depends_on(metrics: Metrics, tmp_path: Path) -> None:
    path = tmp_path / "mine" / "metrics" / "throughput.py"
    path.write_text(METRIC.replace("1e6", "1e3"))
    assert metrics.outside_digest
    assert read_metrics().outside_digest not in ("", metrics.outside_digest)


def test_store_json_lines_csv_and_schema_have_it(metrics: Metrics, tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")
    store.put("mine", 0, "key", FAST)
    assert store.results() == [FAST]
    line = json.loads(export([FAST], "jsonl", metrics, open_laboratory()))
    validator = Draft202012Validator(result_schema(metrics))
    assert line[FIELD] == 256_000
    assert [error.message for error in validator.iter_errors(line)] == []
    for wrong in ({FIELD: "fast"}, {FIELD: -1}, {"status": "failed", "reason": "it has a figure"}):
        assert list(validator.iter_errors(line | wrong)), wrong
    rows = list(csv.DictReader(io.StringIO(export([result(), FAST], "csv", metrics, open_laboratory()), newline="")))
    assert [row[FIELD] for row in rows] == ["", "256000.0"]


def test_tables_and_formats_from_outside_have_it(metrics: Metrics) -> None:
    header, _, row = export([FAST], "markdown", metrics, open_laboratory()).splitlines()
    assert "Throughput (B/s)" in header
    assert "256\N{NARROW NO-BREAK SPACE}000" in row
    assert export([FAST], "speeds", metrics, open_laboratory()) == f"{FAST.case}=256000.0\n"


def test_more_of_it_is_better_in_ranking_pick_and_compare(metrics: Metrics) -> None:
    found = best([SLOW, FAST], metrics["throughput"])
    assert found is not None
    assert found.winners == (FAST,)
    assert found.runner_up == SLOW
    [row] = study_table([SLOW, FAST], metrics)
    assert row.best["throughput"].winners == (FAST,)
    answer = pick([SLOW, FAST], Question("uno", by="throughput"), metrics)
    assert [choice.result for choice in answer.fits] == [FAST, SLOW]
    worse = compare([FAST], [replace(FAST, added=((FIELD, 1000.0),))], metrics)
    assert worse.regressed
    assert [change.figure.field for change in worse.called("less throughput")] == [FIELD]
    assert not compare([FAST], [replace(FAST, added=((FIELD, 1e9),))], metrics).regressed
    for shown in (render_pick(answer, metrics), render_comparison(worse)):
        console = Console(file=io.StringIO(), width=300)
        console.print(shown)
        assert "throughput" in console.file.getvalue()  # type: ignore[attr-defined]


def test_a_modelled_one_that_is_within_the_band_is_inseparable(metrics: Metrics) -> None:
    modelled = {"fidelity": Fidelity.MODELLED, "fidelity_band_percent": 40.0}
    found = best([replace(SLOW, **modelled), replace(FAST, **modelled)], metrics["throughput"])  # type: ignore[arg-type]
    assert found is not None
    assert len(found.inseparable) == 1


def test_the_report_has_it_in_its_tables_its_sorting_its_provenance_and_its_plots(metrics: Metrics) -> None:
    view = table("mine", [SLOW, FAST], metrics)
    assert "throughput" in [column.name for column in view.columns]
    data: Any = view.data
    assert data["values"]["throughput"] == {"each": [256_000.0, 128_000.0]}
    assert [FIELD, "Throughput", "B/s"] in data["figures"]
    assert FIELD in data["fields"]
    section = ExperimentSection("mine", "Mine", "?", "", "", (SLOW, FAST))
    page = draw_report(ReportInput("t", "2026-11-21", "1", (), (section,)), metrics)
    assert "Bytes of message over the time of one call." in page
    assert "throughput, B/s (more is better)" in page


def test_a_study_may_have_published_it(metrics: Metrics) -> None:
    experiment = open_laboratory().experiments["libraries"]
    beside = [one.model_copy(update={"metric": FIELD}) for one in experiment.beside]
    figures = published_figures(experiment.model_copy(update={"beside": tuple(beside)}), [FAST], metrics)
    assert {figure.unit for figure in figures} == {"B/s"}
    assert 256_000 in [figure.ours for figure in figures]


def test_a_metric_that_no_file_defines_is_named_where_a_study_asks_for_it() -> None:
    experiment = open_laboratory().experiments["libraries"]
    beside = tuple(one.model_copy(update={"metric": "cycle_median"}) for one in experiment.beside)
    with pytest.raises(UserError, match=r"experiment\.toml: key 'beside\.metric'.*did you mean 'cycles_median'"):
        published_figures(experiment.model_copy(update={"beside": beside}), [], read_metrics())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import nothing_of_that_name\n", "does not load"),
        ("x = 1\n", "has no METRIC"),
        (METRIC.replace('name="throughput"', 'name="speed"'), "give both the same name"),
        (METRIC.replace('"throughput_bytes_per_s", "throughput"', '"time_us", "time"'), "a field 'time_us' already"),
    ],
)
def test_one_that_cannot_be_taken_is_one_sentence(metrics: Metrics, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "mine" / "metrics" / "throughput.py"
    path.write_text(text)
    with pytest.raises(UserError, match=sentence) as error:
        read_metrics()
    assert str(path) in str(error.value)


def test_one_of_a_name_of_ours_is_refused(tmp_path: Path, metrics: Metrics) -> None:
    (tmp_path / "mine" / "metrics" / "cycles.py").write_text(METRIC.replace('name="throughput"', 'name="cycles"'))
    with pytest.raises(UserError, match="there is a metric 'cycles' already"):
        read_metrics()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("1 / 0", "cannot be derived: ZeroDivisionError"),
        ("float('nan')", "gives nan"),
        ("'fast'", "gives 'fast'"),
        ("True", "gives True"),
    ],
)
def test_one_that_fails_fails_its_case_by_name_and_withholds_every_figure(
    metrics: Metrics, tmp_path: Path, value: str, sentence: str
) -> None:
    text = METRIC.replace("facts.size_bytes / time * 1e6 if time else None", value)
    (tmp_path / "mine" / "metrics" / "throughput.py").write_text(text)
    made = _derived(read_metrics())
    assert made.status is Status.FAILED
    assert made.reason is not None
    assert sentence in made.reason
    assert "the metric 'throughput'" in made.reason
    assert made.cycles_median is None
    assert made.value(FIELD) is None


def test_the_definitions_in_the_documentation_are_those_of_the_metrics() -> None:
    assert definitions_table(read_metrics()) in (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")


def test_no_module_of_the_answers_names_a_metric() -> None:
    """A metric says in its own file where it is shown, so that one from outside is shown as ours are."""
    folder = ROOT / "bancada" / "answers"
    names = "|".join(metric.name for metric in read_metrics())
    quoted = re.compile(rf"""(["'])({names})\1""")
    found = {
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.rglob("*"))
        # The survey's own table, and the test suites of JUnit, have columns of these names.
        if path.suffix in (".py", ".js", ".j2") and path.name not in ("survey.py", "junit.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if quoted.search(line)
    }
    assert found == set()


def test_every_metric_of_ours_is_a_file_of_its_name_and_says_what_it_means() -> None:
    every = list(read_metrics())
    assert {metric.name for metric in every} == {
        path.stem for path in (ROOT / "bancada" / "measure" / "metrics").glob("*.py") if path.stem != "__init__"
    }
    assert all(isinstance(metric, Metric) and metric.definition and metric.title for metric in every)


def test_a_record_of_the_schema_before_stays_readable(tmp_path: Path) -> None:
    record = result().as_dict()
    del record["audit"]
    store = Store(tmp_path / "results.sqlite")
    store.put("mine", 0, "key", result())
    store.close()
    import sqlite3

    with sqlite3.connect(tmp_path / "results.sqlite") as database:
        database.execute(
            "UPDATE results SET record = ?", (json.dumps(record | {"schema": "bancada-result-2", "gone": 1}),)
        )
    database.close()
    assert Store(tmp_path / "results.sqlite", to_read=True).results() == [result()]


def test_a_line_of_version_three_keeps_its_metrics_from_outside() -> None:
    """Version 4 has one more field: what is proved."""
    line = result().as_dict() | {"schema": "bancada-result-3", "mine_bytes": 7}
    del line["proved"]
    assert result_from_dict(line) == replace(result(), added=(("mine_bytes", 7),))
