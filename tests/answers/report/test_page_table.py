"""The tables of results as a reader meets them, in headless Chromium: sorting, filters, provenance."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from bancada.model.status import Status
from tests.answers.report.page_support import RESULTS, VISIBLE, Open, Wait, choose, column, figures, header, shown

# sorting


@pytest.mark.parametrize(
    "name", ["cycles", *(pytest.param(name, marks=pytest.mark.slow) for name in ("flash", "ram")), "energy", "key_bits"]
)
def test_sorting_is_by_number_both_ways(show: Open, wait: Wait, sample_page: str, name: str) -> None:
    page = show(sample_page)
    choose(page, "level", "all levels")
    button = header(page, name).find_element(By.TAG_NAME, "button")
    button.click()
    wait.until(lambda _: header(page, name).get_attribute("aria-sort") == "ascending")
    values = figures(column(page, name))
    known = [value for value in values if value is not None]
    assert len(values) == len(RESULTS)
    assert len(set(known)) > 2
    assert known == sorted(known)
    assert values == [*known, *[None] * (len(values) - len(known))], "what has no figure comes last"
    button.click()
    wait.until(lambda _: header(page, name).get_attribute("aria-sort") == "descending")
    values = figures(column(page, name))
    assert values == [*sorted(known, reverse=True), *[None] * (len(values) - len(known))]


def test_sorting_by_name_with_the_keyboard(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    header(page, "candidate").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    wait.until(lambda _: header(page, "candidate").get_attribute("aria-sort") == "ascending")
    names = column(page, "candidate")
    assert names == sorted(names)
    assert len(set(names)) == 8
    header(page, "cycles").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    wait.until(lambda _: header(page, "cycles").get_attribute("aria-sort") == "ascending")
    assert header(page, "candidate").get_attribute("aria-sort") is None, "one column at a time"


# filtering


def test_each_implementation_has_one_row_until_all_levels_are_wanted(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    cases = {(result.implementation, result.operation) for result in RESULTS}
    assert len(column(page, "candidate")) == len(cases)
    assert shown(page) == f"{len(cases)} of {len(RESULTS)} results"
    choose(page, "level", "all levels")
    wait.until(lambda _: shown(page) == f"{len(RESULTS)} of {len(RESULTS)} results")
    assert len(column(page, "candidate")) == len(RESULTS)


@pytest.mark.parametrize(
    ("choice", "name"), [("its level of best cycles", "cycles"), ("its level of best flash", "flash")]
)
def test_the_level_shown_is_the_best_one(show: Open, wait: Wait, sample_page: str, choice: str, name: str) -> None:
    page = show(sample_page)
    for field, text in (("candidate", "tinyaes"), ("operation", "encrypt"), ("key_bits", "128")):
        choose(page, field, text)
    choose(page, "level", "all levels")
    wait.until(lambda _: shown(page).startswith("3 of"))
    every = [value for value in figures(column(page, name)) if value is not None]
    choose(page, "level", choice)
    wait.until(lambda _: shown(page).startswith("1 of"))
    assert figures(column(page, name)) == [min(every)]
    assert len(set(every)) == 3


@pytest.mark.parametrize(
    ("name", "text", "matches"),
    [
        ("candidate", "wolfssl", lambda result: result.candidate == "wolfssl"),
        ("algorithm", "Speck-128", lambda result: result.algorithm == "speck128"),
        ("operation", "decrypt", lambda result: result.operation == "decrypt"),
        ("key_bits", "192", lambda result: result.key_bits == 192),
        ("variant", "tiny", lambda result: result.variant == "tiny"),
        ("status", "failed", lambda result: result.status == Status.FAILED),
        ("optimisation", "-O2", lambda result: result.optimisation == "-O2"),
    ],
)
def test_filtering(
    show: Open, wait: Wait, sample_page: str, name: str, text: str, matches: Callable[[object], bool]
) -> None:
    page = show(sample_page)
    choose(page, "level", "all levels")
    choose(page, name, text)
    expected = sum(matches(result) for result in RESULTS)
    wait.until(lambda _: shown(page) == f"{expected} of {len(RESULTS)} results")
    assert 0 < expected < len(RESULTS)
    assert column(page, name) == [text] * expected


def test_asking_for_an_ending_shows_every_case_of_it(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    choose(page, "status", "does-not-build")
    expected = sum(result.status == Status.DOES_NOT_BUILD for result in RESULTS)
    wait.until(lambda _: shown(page).startswith(f"{expected} of"))


def test_filters_combine_and_clear(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    before = shown(page)
    choose(page, "candidate", "tatu")
    choose(page, "operation", "encrypt")
    choose(page, "algorithm", "AES")
    wait.until(lambda _: shown(page).startswith("12 of"))  # four variants, three keys
    page.find_element(By.CSS_SELECTOR, 'form[data-table="libraries"] button[type=reset]').click()
    wait.until(lambda _: shown(page) == before)


# provenance


def test_a_row_opens_to_its_provenance_and_closes(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    row = page.find_element(By.CSS_SELECTOR, VISIBLE)
    button = row.find_element(By.TAG_NAME, "button")
    row.find_elements(By.TAG_NAME, "td")[3].click()
    wait.until(lambda _: button.get_attribute("aria-expanded") == "true")
    text = page.find_element(By.CSS_SELECTOR, VISIBLE + " + .provenance").text
    measured = next(result for result in RESULTS if result.case in text)
    for value in (
        measured.compiler,
        measured.flags,
        measured.engine_version,
        measured.elf_sha256,
        measured.candidate_version,
        "Cycles\n2\u202f039 cycles",
        "Inputs timed\n16",
        "Cycles, worst input\n2\u202f039 cycles",
        "568 of 568 passed",
        "exact",
        measured.date,
    ):
        assert value is not None
        assert value in text
    button.send_keys(Keys.ENTER)
    wait.until(lambda _: button.get_attribute("aria-expanded") == "false")
    assert page.find_elements(By.CSS_SELECTOR, "#table-libraries .provenance") == []


def test_open_provenance_stays_with_its_row(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    row = page.find_element(By.CSS_SELECTOR, VISIBLE)
    below = f"#{row.get_attribute('id')} + .provenance"
    row.find_element(By.TAG_NAME, "button").click()
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, below))
    header(page, "flash").find_element(By.TAG_NAME, "button").click()
    wait.until(lambda _: header(page, "flash").get_attribute("aria-sort"))
    opened = page.find_element(By.CSS_SELECTOR, below)
    assert opened.is_displayed()
    choose(page, "candidate", "nettle")
    wait.until(lambda _: not opened.is_displayed())


def test_an_eliminated_case_says_why(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    choose(page, "candidate", "nettle")
    choose(page, "status", "not-conformant")
    wait.until(lambda _: shown(page).startswith("9 of"))
    page.find_element(By.CSS_SELECTOR, VISIBLE + " button").click()
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, "#table-libraries .provenance"))
    text = page.find_element(By.CSS_SELECTOR, "#table-libraries .provenance").text
    assert "AESAVS VarKey-192 vector 17" in text
    assert "<b>0000</b>5a2f & more" in text
    assert "567 of 568 passed" in text
    assert "Cycles" not in text


def test_an_answer_leads_to_its_provenance_even_if_filtered_out(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    choose(page, "candidate", "wolfssl")
    link = page.find_element(By.CSS_SELECTOR, ".best a")
    row = page.find_element(By.ID, str(link.get_attribute("href")).partition("#")[2])
    assert not row.is_displayed()
    link.click()
    wait.until(
        lambda _: row.is_displayed() and page.switch_to.active_element == row.find_element(By.TAG_NAME, "button")
    )
    assert "Inputs timed" in page.find_element(By.CSS_SELECTOR, "#table-libraries .provenance").text


def test_an_address_with_a_case_opens_it(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    page.get(page.current_url + "#libraries-7")
    page.refresh()
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, "#libraries-7 + .provenance"))
