"""Every figure of the page has an address that can be cited, which stays when others come or go."""

from __future__ import annotations

import re
from dataclasses import replace

from selenium.webdriver.common.by import By

from bancada.answers.report.addresses import addresses
from bancada.answers.report.page import draw_report
from bancada.measure.read_metrics import read_metrics
from tests.answers.report.page_support import Open, Wait
from tests.answers.report.report_sample import report_input

METRICS = read_metrics()


def test_two_figures_of_the_same_words_have_two_addresses() -> None:
    assert addresses("figure", "sensor", ("Cycles: encrypt", "Flash", "cycles - Encrypt")) == [
        "figure-sensor-cycles-encrypt",
        "figure-sensor-flash",
        "figure-sensor-cycles-encrypt-2",
    ]


def test_an_address_stays_when_another_experiment_and_other_results_come() -> None:
    report = report_input()
    first = replace(report, experiments=report.experiments[:1])
    few = replace(report.experiments[0], results=report.experiments[0].results[4:])
    found = [
        set(re.findall(r'id="((?:figure|published|finding)-libraries-[^"]+)"', draw_report(each, METRICS)))
        for each in (report, first, replace(report, experiments=(few,)))
    ]
    assert len(found[0]) > 10
    assert found[1] == found[0]
    assert len(found[2] & found[0]) > 10


def test_an_address_opens_the_panel_in_which_its_figure_is(show: Open, wait: Wait, sample_page: str) -> None:
    page = show(sample_page)
    wait.until(lambda _: not page.find_elements(By.CSS_SELECTOR, "script.packed"))
    hidden = page.find_element(By.CSS_SELECTOR, ".panel.later figure[id]")
    address = hidden.get_attribute("id")
    assert not hidden.is_displayed()
    page.execute_script("location.hash = arguments[0]", f"#{address}")
    wait.until(lambda _: hidden.is_displayed())
    panel = hidden.find_element(By.XPATH, "ancestor::*[contains(@class, 'panel')]")
    name, group = panel.get_attribute("id"), panel.get_attribute("data-panel")
    chosen = page.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((each) => each.value)",
        f'[data-shows="{group}"] input:checked, [data-shows="{group}"] select',
    )
    assert chosen == [name]
    link = hidden.find_element(By.CSS_SELECTOR, "a.cite")
    assert link.get_attribute("href").endswith(f"#{address}")  # type: ignore[union-attr]
