"""A page with much in it: small as a file, short to scroll, and whole once it is open."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By

from bancada.answers.report.input import EarlierRun, ExperimentSection, ReportInput
from bancada.answers.report.packing import packed, unpacked
from bancada.answers.report.page import draw_report
from bancada.measure.read_metrics import read_metrics
from tests.answers.report.page_support import Open, Wait
from tests.answers.report.report_sample import KINDS, block_cipher_results, report_input

METRICS = read_metrics()


def _experiments(number: int) -> ReportInput:
    results = block_cipher_results(KINDS[:12])
    sections = tuple(
        ExperimentSection(f"part{place}", f"Part {place}", "What does it cost?", "", "", results)
        for place in range(number)
    )
    return replace(report_input(), experiments=sections)


@pytest.fixture(scope="module")
def both() -> tuple[str, str]:
    """The same report as it is, and packed."""
    pages = []
    for limit in (10**9, 0):
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr("bancada.answers.report.page._LONG_PAGE_CHARACTERS", limit)
            pages.append(draw_report(_experiments(4), METRICS))
    return pages[0], pages[1]


def test_packing_gives_back_what_it_took() -> None:
    text = "<p>" + "é &amp; </script>" * 500 + "</p>"
    assert "</script>" not in packed(text).removesuffix("</script>")
    assert len(packed(text)) < len(text) / 10
    assert unpacked(f"a{packed(text)}b{packed(text)}c") == f"a{text}b{text}c"
    assert packed("short") == "short"


def test_a_packed_page_is_small_and_says_the_same(both: tuple[str, str]) -> None:
    plain, small = both
    assert len(small) < len(plain) / 2
    said = unpacked(small).replace(" ", "").replace("\n", "")
    start, end = said.index("<noscript>"), said.index("</noscript>") + len("</noscript>")
    assert said[:start] + said[end:] == plain.replace(" ", "").replace("\n", "")


def test_without_a_script_the_wide_drawing_stands_on_a_phone(both: tuple[str, str]) -> None:
    """A drawing for phones is packed where the wide one is not."""
    plain, small = both
    assert '<div class="narrow"><svg' in plain and '<div class="narrow"><svg' not in small
    assert '<div class="wide"><svg' in small
    assert ".narrow { display: none !important; }" in small[small.index("<noscript>") : small.index("</noscript>")]
    assert "<noscript>" not in plain


def _content(page: WebDriver) -> list[object]:
    return list(
        page.execute_script(
            "return ['svg.plot', 'table > tbody > tr', '.panel', 'script[id]']"
            ".map((what) => document.querySelectorAll(what).length)"
        )
    )


def test_a_packed_page_is_whole_once_it_is_open(show: Open, wait: Wait, both: tuple[str, str]) -> None:
    whole = _content(show(both[0]))
    page = show(both[1])
    wait.until(lambda _: not page.find_elements(By.CSS_SELECTOR, "script.packed"))
    assert _content(page) == whole
    wait.until(lambda _: page.find_element(By.CSS_SELECTOR, 'form[data-table="part3"] output').get_attribute("value"))
    errors = [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]
    assert errors == []


def test_of_many_experiments_each_is_closed_and_a_link_opens_it(show: Open, wait: Wait, both: tuple[str, str]) -> None:
    page = show(both[1])
    wait.until(lambda _: not page.find_elements(By.CSS_SELECTOR, "script.packed"))
    screens = page.execute_script("return document.documentElement.scrollHeight / innerHeight")
    assert screens < 12
    link = page.find_element(By.CSS_SELECTOR, '.best a[href^="#part"]')
    row = link.get_attribute("href").partition("#")[2]  # type: ignore[union-attr]
    link.click()
    wait.until(lambda _: page.find_element(By.ID, row).is_displayed())
    page.find_element(By.CSS_SELECTOR, 'nav a[href="#experiment-part2"]').click()
    wait.until(lambda _: page.find_element(By.ID, "table-part2").is_displayed())


@pytest.mark.parametrize("number", [2, 3])
def test_few_experiments_are_open(number: int) -> None:
    """`make report` has three."""
    assert ('<details class="whole">' in draw_report(_experiments(number), METRICS)) == (number > 2)


def test_a_row_says_what_earlier_runs_gave(show: Open, wait: Wait) -> None:
    results = block_cipher_results(KINDS[:3])
    first = results[0]
    runs = (
        EarlierRun("2026-10-02T08:00:00", "ok", (("cycles", "cycles", 2100.0), ("flash", "B", 1116.0))),
        EarlierRun("2026-09-01T08:00:00", "not-conformant", ()),
    )
    section = ExperimentSection("libraries", "Libraries", "", "", "", results, earlier={first.case: runs})
    page = show(draw_report(replace(report_input(), experiments=(section,)), METRICS))
    page.execute_script(f"location.hash = '#libraries/{first.case}'")
    selector = "#table-libraries .provenance"
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, selector))
    text = page.find_element(By.CSS_SELECTOR, selector).text
    assert "Earlier runs\n2026-10-02: cycles 2\u202f100 cycles, flash 1\u202f116 B; 2026-09-01: not-conformant" in text


@pytest.mark.parametrize("libraries", [8, 9])
def test_libraries_beyond_eight_have_stripes(libraries: int) -> None:
    first = block_cipher_results(KINDS[:1])
    results = tuple(
        replace(result, candidate=f"lib{place}", implementation=f"lib{place}/aes128", case=f"{place} {result.case}")
        for place in range(libraries)
        for result in first
    )
    section = ExperimentSection("libraries", "Libraries", "", "", "", results)
    html = draw_report(replace(report_input(), experiments=(section,)), METRICS)
    assert ('class="stripes"' in html) == (libraries > 8)
