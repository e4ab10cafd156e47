"""The report as a reader meets it, in headless Chromium: choices, colours, widths, markup, plots."""

from __future__ import annotations

import json

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.answers.report.page_support import Open, Wait
from tests.answers.report.report_sample import KINDS
from tests.pairs import pairs

# choosing


def test_plots_are_chosen_by_question(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    panels = page.find_elements(By.CSS_SELECTOR, '.panel[data-panel="libraries"]')
    assert [panel.is_displayed() for panel in panels] == [True] + [False] * 8
    page.find_elements(By.CSS_SELECTOR, 'input[name="panel-libraries"]')[4].click()
    wait.until(lambda _: panels[4].is_displayed())
    assert [panel.is_displayed() for panel in panels] == [index == 4 for index in range(9)]
    assert "decrypt, 192-bit key" in panels[4].text


def test_many_questions_are_chosen_from_a_list(show: Open, wait: Wait, future_page: str) -> None:
    page = show(future_page)
    choice = Select(page.find_element(By.CSS_SELECTOR, '.panel-choice[data-shows="records"] select'))
    choice.select_by_visible_text("hash, 512\u00a0B on nrf52840")
    wait.until(lambda _: page.find_element(By.CSS_SELECTOR, '.panel[data-panel="records"]:not(.later)').is_displayed())
    assert (
        "hash, 512 B on nrf52840" in page.find_element(By.CSS_SELECTOR, '.panel[data-panel="records"]:not(.later)').text
    )


def test_of_many_devices_one_is_shown_and_another_is_chosen_from_a_list(
    show: Open, wait: Wait, future_page: str
) -> None:
    page = show(future_page)
    devices = page.find_elements(By.CSS_SELECTOR, "section.answer")
    assert len(devices) == 3
    assert [device.is_displayed() for device in devices] == [True, False, False]
    Select(page.find_element(By.CSS_SELECTOR, '[data-shows="devices"] select')).select_by_index(2)
    wait.until(lambda _: devices[2].is_displayed())
    assert not devices[0].is_displayed()


def test_findings_are_told_with_what_became_of_them(show: Open, future_page: str) -> None:
    page = show(future_page)
    found = [item.text for item in page.find_elements(By.CSS_SELECTOR, "#experiment-libraries .findings li")]
    assert len(found) == 2
    assert "does not hold" in found[1]
    assert "8 to 10 times" in found[1]
    assert "The AES was <slow>." in found[1]


def test_every_point_of_a_plot_says_its_figures(show: Open, future_page: str) -> None:
    """Five simulated and four slotted points; the theory has a line and no marks."""
    page = show(future_page)
    plot = page.find_element(By.CSS_SELECTOR, 'svg[aria-label^="Delivery against sensors"]')
    hints = [title.get_attribute("textContent") for title in plot.find_elements(By.TAG_NAME, "title")]
    assert len(hints) == 9
    assert "free running, simulated: sensors on one channel 16, packets delivered, part 0.09" in hints


def test_the_answer_is_chosen_by_algorithm(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    tables = page.find_elements(By.CSS_SELECTOR, "table.best")
    assert [table.is_displayed() for table in tables] == [True, False, False]
    page.find_elements(By.CSS_SELECTOR, 'input[name="answer-1"]')[2].click()
    wait.until(lambda _: tables[2].is_displayed())
    assert not tables[0].is_displayed()
    assert "speck128" in tables[2].text
    assert " aes" not in tables[2].text


def test_the_answer_and_how_it_was_measured_are_on_the_first_screen(show: Open, sample_page: str) -> None:
    page = show(sample_page)
    for selector in (".best tbody tr:nth-child(2) td", ".method h3", ".answer .chip"):
        place = page.find_element(By.CSS_SELECTOR, selector).rect
        assert place["y"] > 0
        assert place["y"] + place["height"] < 800
    assert page.execute_script("return scrollY") == 0


# dark and light


def colours(page: WebDriver) -> tuple[str, str, str]:
    script = """
      const style = (element) => getComputedStyle(element);
      const plot = [...document.querySelectorAll(".plot")].find((svg) => svg.getBoundingClientRect().width);
      const label = plot.querySelector("text:not(.m)");
      return [style(document.body).backgroundColor, style(document.body).color, style(label).fill];
    """
    found: tuple[str, str, str] = tuple(page.execute_script(script))
    return found


def brightness(colour: str) -> float:
    return sum(int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]) / 3


def test_the_page_follows_the_system_and_the_text_of_the_plots_follows_the_page(show: Open, sample_page: str) -> None:
    light = colours(show(sample_page))
    dark = colours(show(sample_page, dark=True))
    assert brightness(light[0]) > 200 > 80 > brightness(light[1])
    assert brightness(dark[0]) < 60 < 180 < brightness(dark[1])
    assert brightness(light[2]) < 80
    assert brightness(dark[2]) > 180


@pytest.mark.parametrize("dark", [False, True])
def test_the_button_turns_the_page_over_and_is_remembered(show: Open, wait: Wait, sample_page: str, dark: bool) -> None:
    page = show(sample_page, dark=dark)
    before = colours(page)
    button = page.find_element(By.ID, "theme")
    assert button.get_attribute("aria-pressed") == str(dark).lower()
    button.click()
    wait.until(lambda _: colours(page)[0] != before[0])
    after = colours(page)
    assert (brightness(before[0]) > 128) == (brightness(after[0]) < 128)
    assert button.get_attribute("aria-pressed") == str(not dark).lower()
    page.refresh()
    assert colours(page) == after


# sizes, network, errors


@pytest.mark.parametrize(("which", "width"), pairs(("sample_page", "future_page"), (320, 390, 768, 1280)))
def test_the_page_never_scrolls_sideways(show: Open, request: pytest.FixtureRequest, which: str, width: int) -> None:
    page = show(request.getfixturevalue(which), width=width)
    page.execute_script("document.querySelectorAll('.later').forEach((panel) => panel.classList.remove('later'))")
    page.find_element(By.CSS_SELECTOR, "tbody tr:not([hidden]) button").send_keys(Keys.ENTER)
    script = """
      return [...document.querySelectorAll("body *")].filter((element) => !element.closest(".scroll, .hidden, thead")
        && element.getBoundingClientRect().right > arguments[0] + 0.5)
        .map((element) => element.outerHTML.slice(0, 120));
    """
    assert page.execute_script(script, width) == []
    assert page.execute_script("return document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("which", ["sample_page", "future_page"])
def test_no_error_and_no_request(show: Open, wait: Wait, request: pytest.FixtureRequest, which: str) -> None:
    page = show(request.getfixturevalue(which))
    page.find_element(By.ID, "theme").click()
    page.find_element(By.CSS_SELECTOR, "thead button").click()
    page.find_element(By.CSS_SELECTOR, ".best a").click()
    wait.until(lambda _: page.find_elements(By.CSS_SELECTOR, ".provenance"))
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]
    log = page.get_log("performance")  # type: ignore[no-untyped-call]
    events = [json.loads(entry["message"])["message"] for entry in log]
    asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith(("file:", "data:"))} == set()
    assert {url.partition("#")[0] for url in asked if url.startswith("file:")} == {page.current_url.partition("#")[0]}


@pytest.mark.parametrize("width", [768, 1280])
@pytest.mark.parametrize("which", ["sample_page", "future_page"])
def test_how_a_case_ended_is_in_sight(show: Open, request: pytest.FixtureRequest, which: str, width: int) -> None:
    """The status is the last column of a table that may be wider than the page."""
    page = show(request.getfixturevalue(which), width=width)
    script = """
      return [...document.querySelectorAll("table.figures")].map((table) => {
        const heads = [...table.tHead.rows[0].cells];
        const status = heads.find((head) => head.dataset.column === "status").getBoundingClientRect();
        return status.right - table.closest(".tall").getBoundingClientRect().right;
      });
    """
    beyond = page.execute_script(script)
    assert len(beyond) >= 1
    assert all(px <= 0 for px in beyond)


@pytest.mark.parametrize("which", ["sample_page", "future_page"])
def test_no_badge_lies_over_the_next_column(show: Open, request: pytest.FixtureRequest, which: str) -> None:
    page = show(request.getfixturevalue(which))
    script = """
      const cell = document.querySelector(".study-table td") ?? document.querySelector("td");
      cell.style.cssText = "display: inline-block; width: 90px; padding: 0";
      cell.innerHTML = '<span class="chip">measured here</span>';
      cell.closest("table").classList.add("study-table");
      return [cell.firstChild.getBoundingClientRect().right, cell.getBoundingClientRect().right];
    """
    badge, column = page.execute_script(script)
    assert badge <= column + 0.5


# markup


@pytest.mark.parametrize("which", ["sample_page", "future_page"])
def test_the_markup_is_sound(show: Open, request: pytest.FixtureRequest, which: str) -> None:
    page = show(request.getfixturevalue(which))
    script = """
      const all = (selector) => [...document.querySelectorAll(selector)];
      const ids = all("[id]").map((element) => element.id);
      const used = all("use").map((element) => element.getAttribute("xlink:href") || element.getAttribute("href"));
      return {
        "an id twice": ids.filter((id, place) => ids.indexOf(id) !== place),
        "a table without a caption": all("table").filter((table) => !table.caption).length,
        "a header without a scope": all("th:not([scope])").length,
        "a plot without a name": all("svg.plot:not([aria-label])").length,
        "a drawing used but not there": used.filter((name) => !document.querySelector(name)).length,
        "a link to nowhere": all('a[href^="#"]').filter((link) => !document.getElementById(link.hash.slice(1))).length,
        "a control without a name": all("select, input").filter((control) => !control.labels.length).length,
        "a row with other cells": all("table.figures").filter((table) =>
          [...table.rows].some((row) => row.cells.length !== table.rows[0].cells.length)).length,
      };
    """
    assert {name: found for name, found in page.execute_script(script).items() if found} == {}
    assert page.execute_script("return document.compatMode") == "CSS1Compat"


# plots


_TEXTS = """
  document.querySelectorAll(".later").forEach((panel) => panel.classList.remove("later"));
  const problems = [];
  let seen = 0;
  for (const plot of document.querySelectorAll("svg.plot")) {
    const frame = plot.getBoundingClientRect();
    if (!frame.width) continue;
    seen += 1;
    const texts = [...plot.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    for (const [text, box] of texts) {
      const sides = [frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom];
      const out = Math.max(...sides);
      if (out > 1) problems.push(`cut by ${out.toFixed(1)}: ${text} in ${plot.getAttribute("aria-label")}`);
    }
    texts.forEach(([first, a], place) => texts.slice(place + 1).forEach(([second, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1.5) problems.push(`${first} on ${second} in ${plot.getAttribute("aria-label")}`);
    }));
  }
  return [seen, problems];
"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("which", ["sample_page", "future_page"])
def test_no_text_of_a_plot_is_cut_or_lies_on_another(
    show: Open, request: pytest.FixtureRequest, which: str, width: int
) -> None:
    page = show(request.getfixturevalue(which), width=width)
    seen, problems = page.execute_script(_TEXTS)
    assert seen >= 40
    assert problems == []


def test_every_implementation_is_named_in_the_plot_of_time(show: Open, sample_page: str) -> None:
    page = show(sample_page)
    plot = page.find_element(By.CSS_SELECTOR, "#libraries-panel-0 .wide svg")
    names = [text.text for text in plot.find_elements(By.TAG_NAME, "text")]
    for kind in KINDS:
        variant = "" if kind.variant == "plain" else f" {kind.variant}"
        expected = 0 if kind.candidate == "mbedtls" else 1  # does not fit
        assert names.count(f"{kind.candidate} {kind.algorithm}{variant}") == expected


def test_bars_are_as_long_as_their_figures(show: Open, sample_page: str) -> None:
    """RAM of 128-bit encryption on the page, in pixels, against the records."""
    page = show(sample_page)
    script = """
      const bars = [...document.querySelectorAll("#libraries-panel-0 .wide")][1].querySelectorAll("g > title");
      return [...bars].map((title) => {
        const shape = title.parentNode.querySelector("path");
        return [title.textContent, shape.getBoundingClientRect().width, getComputedStyle(shape).fill];
      });
    """
    bars = page.execute_script(script)
    total: dict[str, float] = {}
    for hint, width, fill in bars:
        assert width > 0
        assert fill not in ("none", "rgb(0, 0, 0)")
        total[hint] = total.get(hint, 0) + width
    figures = {hint: float(hint.partition(": ")[2].partition(" B")[0].replace("\u202f", "")) for hint in total}
    assert len(total) == 18
    assert max(figures.values()) == 4710
    widest = max(total.values())
    for hint, width in total.items():
        assert width == pytest.approx(figures[hint] / 4710 * widest, abs=0.5), hint
    assert len({fill for _, _, fill in bars}) == 3


def test_dots_of_the_front_are_where_their_figures_are(show: Open, sample_page: str) -> None:
    """Fewer cycles further left, less flash further down."""
    page = show(sample_page)
    script = """
      return [...document.querySelectorAll("#libraries-panel-0 .full .wide g > title")].map((title) => {
        const box = title.parentNode.getBoundingClientRect();
        return [title.textContent, box.left + box.width / 2, box.top + box.height / 2, box.width];
      });
    """
    dots = page.execute_script(script)
    assert len(dots) > 30
    assert all(width > 3 for *_, width in dots)
    read = []
    for hint, x, y, _ in dots:
        cycles, flash = hint.replace("\u202f", "").partition(": ")[2].split(" cycles, ")
        read.append((float(cycles), float(flash.partition(" B")[0]), x, y))
    for first in read:
        for second in read:
            if first[0] < second[0]:
                assert first[2] < second[2] + 0.5
            if first[1] < second[1]:
                assert first[3] > second[3] - 0.5
