"""The report as text: what it says, and that nothing in a record can make it say something else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from bancada.answers.report.input import ExperimentSection, ExtraSection, ReportInput, SourcedFact, TargetFacts
from bancada.answers.report.page import draw_report as draw_by
from bancada.answers.report.table import TableView, anchors, eliminated
from bancada.answers.report.table import table as table_by
from bancada.measure.read_metrics import read_metrics
from bancada.model.finding import Finding, PublishedFigure, Verdict
from bancada.model.result import Result
from bancada.model.source import Source
from bancada.model.status import Status
from tests.answers.report.report_sample import (
    KINDS,
    UNO,
    block_cipher,
    block_cipher_results,
    message_results,
    published,
    withheld,
)

pytestmark = pytest.mark.quick

EVIL = "<img src=x onerror=alert(1)>&\"'</script><!--{{ 7*7 }}"


METRICS = read_metrics()


def draw_report(made: ReportInput) -> str:
    return draw_by(made, METRICS)


def table(experiment: str, results: Sequence[Result]) -> TableView:
    return table_by(experiment, results, METRICS)


class Text(HTMLParser):
    """All text that a reader sees, and every element."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._silent = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._silent = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.texts))


def report(*results: Result, **changes: object) -> ReportInput:
    section = ExperimentSection("small", "Small", "What?", "A study.", "Somebody", results)
    made = ReportInput("A report", "2026-11-21", "0.1.0", (UNO,), (replace(section, **changes),))  # type: ignore[arg-type]
    return made


def ok(place: int = 0, **changes: object) -> Result:
    return replace(block_cipher(KINDS[place], 128, "encrypt", "-Os"), **changes)  # type: ignore[arg-type]


def test_the_page_is_one_small_file_that_asks_for_nothing(sample_page: str) -> None:
    assert len(sample_page.encode()) < 3_000_000
    assert sample_page.startswith("<!doctype html>")
    assert re.findall(r"https?://[^\"'<\s]*", sample_page) == []
    assert not re.search(r"<(link|script|img|iframe|object|embed)[^>]* (src|href)=\"(?!data:|#)", sample_page)
    assert "default-src 'none'" in sample_page


def test_the_same_records_draw_the_same_page() -> None:
    made = report(*(ok(place) for place in range(4)))
    assert draw_report(made) == draw_report(made)


def test_nothing_in_a_record_becomes_markup() -> None:
    evil = ok(
        case=EVIL,
        target=EVIL,
        engine=EVIL,
        candidate=EVIL,
        candidate_version=EVIL,
        implementation=EVIL,
        primitive=EVIL,
        algorithm=EVIL,
        variant=EVIL,
        operation=EVIL,
        compiler=EVIL,
        optimisation=EVIL,
        flags=EVIL,
        sp800_38a=EVIL,
    )
    others = [
        replace(evil, implementation=f"{EVIL}{place}", cycles_median=5000 - place, flash_bytes=place)
        for place in (1, 2, 3)
    ]
    figure = PublishedFigure("x", EVIL, EVIL, EVIL, 1.0, 2.0, 2.0, None, EVIL, EVIL)
    made = ReportInput(
        EVIL,
        EVIL,
        EVIL,
        (TargetFacts(EVIL, EVIL, 16e6, 1, 1, 5.0, (SourcedFact(EVIL, EVIL, EVIL),)),),
        (
            ExperimentSection(
                "evil",
                EVIL,
                EVIL,
                EVIL,
                EVIL,
                (evil, *others, withheld(ok(2), Status.FAILED, EVIL)),
                (figure,),
                (EVIL,),
            ),
        ),
        extra=(ExtraSection(EVIL, (EVIL,), (EVIL,), ((EVIL,),)),),
    )
    page = Text(draw_report(made))
    assert [attributes for tag, attributes in page.elements if tag == "img"] == []
    assert sum(tag == "script" for tag, _ in page.elements) == 4, (
        "ours before the first paint, the data of the answer and of the table, ours at the end"
    )
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "<img src=x onerror=alert(1)>" in page.text
    assert "{{ 7*7 }}" in page.text


def test_the_data_of_a_table_reads_back_whatever_is_in_it() -> None:
    html = draw_report(report(ok(flags=EVIL), ok(1)))
    found = re.search(r'<script type="application/json" id="data-small">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    fields = json.loads(found.group(1))["fields"]
    assert EVIL in fields["flags"].get("each", fields["flags"].get("distinct"))


def test_code_in_prose_is_code_and_everything_else_is_text() -> None:
    html = draw_report(report(ok(), question="What of `aes<128>` and <b>?"))
    assert "What of <code>aes&lt;128&gt;</code> and &lt;b&gt;?" in html


def test_a_report_without_any_result_is_still_a_page() -> None:
    assert "A report" in Text(draw_report(ReportInput("A report", "2026-11-21", "0.1.0", (UNO,), ()))).text
    assert "0 cases" in Text(draw_report(report())).text


def test_a_report_where_everything_was_eliminated_says_so() -> None:
    page = Text(draw_report(report(withheld(ok(), Status.DOES_NOT_FIT, "RAM: 12 B too much")))).text
    assert "RAM: 12 B too much" in page
    assert "No implementation has figures on this target" in page


def test_a_result_with_half_of_its_figures_is_shown_without_the_other_half() -> None:
    bare: dict[str, Any] = {
        "flash_bytes": None,
        "stack_bytes": None,
        "energy_uj": None,
        "time_us": None,
        "initialisation_us": None,
    }
    page = Text(draw_report(report(ok(**bare), ok(1, **bare)))).text
    assert "not measured" in page
    assert "2 039 cycles" in page


def test_a_target_without_facts_is_named() -> None:
    assert "somewhere" in Text(draw_report(report(ok(target="somewhere")))).text


def test_targets_come_in_the_order_of_the_report() -> None:
    made = report(ok(case="b", target="aaa"), ok(case="a", target="uno"))
    answers = [text for tag, text in re.findall(r'<h2 id="(answer-\d)">(.*?)</h2>', draw_report(made))]
    assert answers == ["Arduino UNO R3 (ATmega328P)", "aaa"]


def test_published_figures_stand_beside_ours_with_ratio_fidelity_and_the_reason_once() -> None:
    html = draw_report(report(*block_cipher_results(KINDS[10:11]), published=published()))
    page = Text(html).text
    for part in ("162.4 µs", "154.8 µs", "0.95 ×", "555.6 ×", "no figure", "The study's plot is lost"):
        assert part in page
    assert page.count("The study used a newer compiler") == 1
    assert re.search(r'<td class="n"><a href="#small-\d+">154.8 µs</a></td>', html)


def test_an_experiment_without_findings_counts_none() -> None:
    assert "findings:" not in Text(draw_report(report(ok()))).text
    one = Finding("claim", "p", "o", Verdict.HOLDS, "why")
    assert "; findings: holds 1." in Text(draw_report(report(ok(), findings=(one,)))).text


@pytest.mark.parametrize("many", [4, 5])
def test_of_many_findings_each_is_closed_and_shows_claim_and_verdict(many: int) -> None:
    findings = tuple(Finding(f"claim {place}", "p", "o", Verdict.HOLDS, "why") for place in range(many))
    html = draw_report(report(ok(), findings=findings))
    closed = re.findall(
        r'<details><summary class="claim">claim (\d) <span class="chip verdict-holds">holds</span>', html
    )
    assert closed == (list("01234") if many > 4 else [])
    assert Text(html).text.count("why") >= many


@pytest.mark.parametrize("many", [2, 4])
def test_many_assumptions_stand_once_below_the_findings(many: int) -> None:
    names = tuple(f"assumption {place}, 1 to 2" for place in range(many))
    rests = [
        Finding(claim, "p", "o", Verdict.HOLDS, "why", draws_alike=100, varied=names) for claim in ("first", "second")
    ]
    page = Text(draw_report(report(ok(), findings=tuple(rests)))).text
    assert page.count("ssumption 1, 1 to 2") == (1 if many > 3 else 2)
    assert page.count("4 assumptions in their ranges, which stand below") == (2 if many > 3 else 0)


def test_each_published_figure_names_which_of_ours_stands_beside_it() -> None:
    first = replace(published()[0], ours_name="tatu aes-128")
    assert "time; ours: tatu aes-128" in Text(draw_report(report(ok(), published=(first,)))).text


def test_a_published_figure_links_to_its_source() -> None:
    first, second, *_ = published()
    source = Source("x", "Doe, Jane", "A <fast> cipher", "1.2", "https://example.org/x?a=1&b=2", "2020-01-31")
    html = draw_report(report(ok(), published=(replace(first, source=source), second)))
    assert re.search(r'<a class="source-number" href="#source-\w+-1\s*">\[1\]</a>', html)
    assert re.search(r'id="source-\w+-1">Doe, Jane. <cite>A &lt;fast&gt; cipher</cite>', html)
    assert '<a href="https://example.org/x?a=1&amp;b=2">' in html
    assert html.count('class="source-number"') == 1


def test_a_published_figure_of_a_case_that_is_not_in_the_report_is_no_link() -> None:
    assert '<td class="n">154.8 µs</td>' in re.sub(r"\s+<", "<", draw_report(report(ok(), published=published()[:1])))


def test_who_was_eliminated_is_said_with_every_reason_and_where() -> None:
    fits, slow = ok(1), ok(0, optimisation="-O3")
    found = eliminated(
        [
            fits,
            ok(0),
            withheld(slow, Status.FAILED, "no answer"),
            withheld(ok(12), Status.DOES_NOT_FIT, "RAM"),
            withheld(ok(12, operation="decrypt"), Status.DOES_NOT_FIT, "flash"),
            withheld(ok(13, implementation="x/b"), Status.DOES_NOT_BUILD, "error"),
            withheld(ok(13, implementation="x/a"), Status.DOES_NOT_BUILD, "error"),
        ]
    )
    assert [(item.name, item.status, item.reasons, item.whole) for item in found] == [
        ("tinyaes/aes128", "does-not-fit", ("RAM", "flash"), True),
        ("x/a and x/b", "does-not-build", ("error",), True),
        ("tatu/aes128", "failed", ("no answer",), False),
    ]
    assert [item.where for item in found] == ["", "", "encrypt at -O3"]


def test_the_table_marks_each_implementations_best_level_by_each_metric() -> None:
    levels = [block_cipher(KINDS[7], 128, "encrypt", level) for level in ("-Os", "-O2", "-O3")]
    view = table("x", levels)
    by_name = {row.cells[[column.name for column in view.columns].index("optimisation")]: row.best for row in view.rows}
    # -O3 is fastest and -Os smallest; -O3 needs six bytes more of stack, and of the two others -O2 is the faster.
    assert by_name == {"-O3": 0b001, "-Os": 0b010, "-O2": 0b100}
    assert [level.ram_bytes for level in levels] == [230, 230, 236]


def test_an_implementation_without_figures_keeps_a_row() -> None:
    rows = table("x", [withheld(ok(), Status.FAILED, "no"), withheld(ok(optimisation="-O2"), Status.FAILED, "no")]).rows
    assert sorted(row.best for row in rows) == [0, 0b111]


def test_columns_that_say_nothing_are_left_out() -> None:
    def names(*results: Result) -> set[str]:
        return {column.name for column in table("x", results).columns}

    assert not {"target", "size_bytes", "associated_bytes", "key_bits"} & names(ok(), ok(1))
    assert {"target", "size_bytes", "associated_bytes"} <= names(
        ok(), ok(1, target="b", size_bytes=8, associated_bytes=4)
    )


def test_every_case_has_an_address_of_its_own() -> None:
    results = block_cipher_results(KINDS[:3])
    found = anchors("x", results, METRICS)
    assert len(set(found.values())) == len({result.case for result in results}) == len(results)


@pytest.mark.parametrize("text", ["Exact.", "Modelled ±6.6 %.", "Measured ±0.5 %."])
def test_every_plot_says_its_fidelity(future_page: str, text: str) -> None:
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", future_page)
    assert len(captions) > 30
    assert all(re.search("exact|modelled ±|measured ±", caption, re.I) for caption in captions)
    assert any(text in caption for caption in captions)


def test_results_of_a_model_say_its_band_in_the_table(future_page: str) -> None:
    rows = re.findall(r"<tr id=\"records-\d+\".*", future_page)
    expected = [result.fidelity_band_percent for result in message_results()]
    assert len(rows) == len(expected)
    assert sum("modelled ±6.6 %" in row for row in rows) == expected.count(6.6)
