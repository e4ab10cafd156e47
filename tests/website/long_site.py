"""The whole site, made and looked at in Chromium. `make test-site` runs this."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from bancada.catalogue.paths import data_root

PATIENCE_S = 30
WIDTHS = (1280, 390)
PAGES = ("docs/index.html", "README.html", "docs/reference/kernels/aes.html", "docs/how-to/tatu.html")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made with the store of whoever runs this, or without a report where nothing is stored."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(data_root() / "website" / "make_site.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--hide-scrollbars",
        f"--user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


def _asked_for(browser: WebDriver) -> list[str]:
    """The addresses that pages asked for since the last call."""
    entries = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
    return [one["params"]["request"]["url"] for one in entries if one["method"] == "Network.requestWillBeSent"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_asks_for_nothing_elsewhere(browser: WebDriver, site: Path, name: str, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    _asked_for(browser)  # what came before, such as the page of a new tab
    browser.get((site / name).as_uri())
    assert browser.find_element(By.TAG_NAME, "h1").text
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    asked = _asked_for(browser)
    assert asked and all(address.startswith(("file:", "data:")) for address in asked)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []  # type: ignore[no-untyped-call]
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder, f"{Path(name).stem}-{width}.png").write_bytes(browser.get_screenshot_as_png())


def test_the_search_finds_a_page_without_a_server(browser: WebDriver, site: Path) -> None:
    browser.get((site / "search.html").as_uri() + "?q=Montgomery")
    found = "#search-results li a[href*='/kernels/']"
    WebDriverWait(browser, PATIENCE_S).until(lambda shown: shown.find_elements(By.CSS_SELECTOR, found))


def test_the_first_page_leads_to_the_documentation(browser: WebDriver, site: Path) -> None:
    browser.get((site / "index.html").as_uri())
    WebDriverWait(browser, PATIENCE_S).until(lambda shown: shown.current_url.endswith("docs/index.html"))


def test_each_heading_has_an_address(site: Path) -> None:
    page = (site / "docs" / "reference" / "metrics.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>.*?</h2>", page)
    assert headings and all('class="headerlink" href="#' in heading for heading in headings)
