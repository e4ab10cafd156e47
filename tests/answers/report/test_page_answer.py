"""The first table, limits, search, addresses and downloads, in headless Chromium."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from bancada.model.status import Status
from tests.answers.report.page_support import RESULTS, VISIBLE, Open, Wait, choose, column, figures, shown

# limits, what one has, search, addresses, downloads


def answer_cells(page: WebDriver) -> list[str]:
    """The texts of the first row of the first table of the first device."""
    return [cell.text for cell in page.find_elements(By.CSS_SELECTOR, "table.best tr[data-question] td")[:3]]


def limit(page: WebDriver, name: str, value: str) -> None:
    field = page.find_element(By.CSS_SELECTOR, f'form[data-answer] [name="{name}"]')
    field.clear()
    field.send_keys(value)


def test_the_first_table_answers_again_within_limits_and_comes_back(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    before = answer_cells(page)
    asked = page.find_element(By.CSS_SELECTOR, "table.best tr[data-question]").get_attribute("data-question")
    _, operation, key_bits, size_bytes = str(asked).split("/")
    question = [
        result
        for result in RESULTS
        if (result.operation, str(result.key_bits), str(result.size_bytes)) == (operation, key_bits, size_bytes)
        and result.status is Status.OK
    ]
    fastest = min(question, key=lambda result: result.cycles_median or 0)
    most = min(result.flash_bytes or 0 for result in question if result.cycles_median == fastest.cycles_median) - 1
    limit(page, "flash", str(most))
    fitting = [result.cycles_median for result in question if (result.flash_bytes or 0) <= most]
    fewest = min(cycles for cycles in fitting if cycles is not None)
    wait.until(lambda _: f"{fewest:,} cycles".replace(",", "\u202f") in answer_cells(page)[0])
    limit(page, "flash", "1")
    wait.until(lambda _: answer_cells(page) == ["nothing fits"] * 3)
    page.find_element(By.CSS_SELECTOR, 'form[data-answer] button[type="reset"]').click()
    wait.until(lambda _: answer_cells(page) == before)


def test_how_much_worse_the_one_is_that_i_have(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    mine = Select(page.find_element(By.CSS_SELECTOR, 'form[data-answer] [name="mine"]'))
    mine.select_by_visible_text("wolfssl aes")
    wait.until(lambda _: all("wolfssl aes: " in text for text in answer_cells(page)))
    assert "%" in answer_cells(page)[0] or "×" in answer_cells(page)[0]


def test_each_answer_names_who_comes_next(show: Open, sample_page: str) -> None:
    assert all("next: " in text for text in answer_cells(show(sample_page)))


def test_search_and_limits_narrow_the_table_and_stand_in_the_address(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    form = page.find_element(By.CSS_SELECTOR, 'form[data-table="libraries"]')
    form.find_element(By.NAME, "search").send_keys("wolfssl decrypt")
    wait.until(
        lambda _: set(column(page, "candidate")) == {"wolfssl"} and set(column(page, "operation")) == {"decrypt"}
    )
    found = [value for value in figures(column(page, "flash")) if value is not None]
    most = int(max(found)) - 1
    assert min(found) <= most, "or the limit would leave nothing"
    form.find_element(By.NAME, "limit-flash").send_keys(str(most))
    wait.until(lambda _: 0 < len(column(page, "flash")) < len(found))
    assert all(value is not None and value <= most for value in figures(column(page, "flash")))
    address, count = page.current_url, shown(page)
    assert "search=wolfssl" in address
    assert f"limit-flash={most}" in address
    page.get("about:blank")
    page.get(address)
    wait.until(lambda _: shown(page) == count)


def test_a_row_is_addressed_by_its_case(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    case = RESULTS[7].case
    page.get(page.current_url + f"#libraries/{case}")
    page.refresh()
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, "#table-libraries .provenance"))
    opened = page.find_element(By.CSS_SELECTOR, "#table-libraries .provenance")
    assert case in opened.text
    link = opened.find_element(By.CSS_SELECTOR, ".row-link a").get_attribute("href")
    assert str(link).endswith(f"#libraries/{case}".replace(" ", "%20"))


_SAVED = """
const done = arguments[arguments.length - 1];
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => { blob.text().then(done); return make.call(URL, blob); };
document.querySelector(`form[data-table="libraries"] [data-download="${arguments[0]}"]`).click();
"""


def test_what_is_shown_can_be_saved(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    choose(page, "candidate", "wolfssl")
    wait.until(lambda _: set(column(page, "candidate")) == {"wolfssl"})
    rows = len(column(page, "candidate"))
    lines = [json.loads(line) for line in page.execute_async_script(_SAVED, "json").splitlines()]
    expected = {result.case: result.as_dict() for result in RESULTS}
    assert len(lines) == rows
    assert all(line == expected[line["case"]] for line in lines)
    table = list(csv.DictReader(io.StringIO(page.execute_async_script(_SAVED, "csv"), newline="")))
    assert [row["case"] for row in table] == [line["case"] for line in lines]
    assert table[0]["cycles_median"] == str(lines[0]["cycles_median"])


def test_on_a_phone_no_cell_of_a_figure_is_cut(show: Open, sample_page: str) -> None:
    page = show(sample_page, width=390)
    script = """
      return [...document.querySelectorAll("table.figures td, table.figures th, table.best td")].filter((cell) => {
        const box = cell.getBoundingClientRect();
        return box.width && !cell.closest("thead") && (box.right > 390 || cell.scrollWidth > cell.clientWidth + 1);
      }).map((cell) => cell.textContent.slice(0, 60));
    """
    assert page.execute_script(script) == []


def test_two_rows_stand_side_by_side_with_their_ratio(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    pressed = []
    for row in page.find_elements(By.CSS_SELECTOR, VISIBLE)[:2]:
        row.find_element(By.TAG_NAME, "button").click()
        opened = page.find_element(By.CSS_SELECTOR, f"#{row.get_attribute('id')} + .provenance")
        button = opened.find_element(By.CSS_SELECTOR, ".row-link button")
        page.execute_script("arguments[0].click()", button)
        pressed.append(next(result for result in RESULTS if result.case in opened.text))
    table = page.find_element(By.CSS_SELECTOR, "table.side-by-side")
    cells = [
        [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
        for row in table.find_elements(By.TAG_NAME, "tr")
    ]
    assert cells[0][1:3] == [result.case for result in pressed]
    rows = {row[0]: row[1:] for row in cells[1:]}
    first, second = (result.flash_bytes for result in pressed)
    assert first is not None and second is not None
    shown = rows["Flash, B"]
    assert [float(text.replace("\u202f", "")) for text in shown[:2]] == [first, second]
    expected = second / first
    if 0.5 < expected < 2:
        assert float(shown[2].replace("\u00a0", "").rstrip("%")) == pytest.approx((expected - 1) * 100, rel=0.06)
    else:
        assert float(shown[2].replace("\u00a0", "").rstrip("×")) == pytest.approx(expected, rel=0.06)
    assert "target" not in rows


_SAVED_PLOT = """
const done = arguments[arguments.length - 1];
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => { blob.text().then(done); return make.call(URL, blob); };
document.querySelector(".panel:not(.later) .save-svg").click();
"""


def test_a_plot_is_saved_as_an_image_that_stands_alone(show: Open, sample_page: str) -> None:
    page = show(sample_page)
    saved = ElementTree.fromstring(page.execute_async_script(_SAVED_PLOT))
    assert saved.tag == "{http://www.w3.org/2000/svg}svg"
    every = list(saved.iter())
    assert len(every) > 20
    assert not [one for one in every if "var(" in "".join(one.attrib.values()) or one.get("class")]
    texts = [one for one in every if one.tag.endswith("}text")]
    assert texts
    assert all("rgb(" in str(one.get("style")) for one in texts)
