"""A headless Chromium, and the reports that it is shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from bancada.answers.report.page import draw_report
from bancada.measure.read_metrics import read_metrics
from tests.answers.report.report_sample import future_input, report_input

CHROMIUM, CHROMEDRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
)
# Until a condition holds; a machine that is shared may be slow.
PATIENCE_S = 30

Open = Callable[..., WebDriver]


@pytest.fixture(scope="session")
def sample_page() -> str:
    """The report of two experiments on the UNO, some 700 results."""
    return draw_report(report_input(), read_metrics())


@pytest.fixture(scope="session")
def future_page() -> str:
    """A report with other primitives, message sizes, targets and fidelities."""
    return draw_report(future_input(), read_metrics())


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    profile = tmp_path_factory.mktemp("chromium")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture
def show(browser: WebDriver, tmp_path: Path) -> Iterator[Open]:
    """Shows a page at a width, light or dark, as if for the first time."""

    def open_page(html: str, width: int = 1280, dark: bool = False) -> WebDriver:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get_log("browser")  # type: ignore[no-untyped-call]  # what earlier pages said and asked for is theirs
        browser.get_log("performance")  # type: ignore[no-untyped-call]
        browser.get(path.as_uri())
        return browser

    yield open_page
    browser.execute_script("localStorage.clear()")


@pytest.fixture
def wait(browser: WebDriver) -> WebDriverWait[WebDriver]:
    return WebDriverWait(browser, PATIENCE_S, poll_frequency=0.05)
