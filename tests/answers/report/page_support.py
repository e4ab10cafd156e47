"""What the tests of the page do with it: read a column, set a filter."""

from __future__ import annotations

from collections.abc import Callable

from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.answers.report.report_sample import block_cipher_results

Open = Callable[..., WebDriver]
Wait = WebDriverWait[WebDriver]

RESULTS = block_cipher_results()
VISIBLE = "#table-libraries tbody tr:not([hidden]):not(.provenance)"


def column(page: WebDriver, name: str) -> list[str]:
    """The texts of a column of the first table, visible rows only, in their order."""
    script = """
      const headers = [...document.querySelectorAll("#table-libraries thead th")];
      const place = headers.findIndex((header) => header.dataset.column === arguments[0]);
      const text = (cell) => (cell.querySelector("button") ?? cell).textContent.trim();
      return [...document.querySelectorAll(arguments[1])].map((row) => text(row.cells[place]));
    """
    return list(page.execute_script(script, name, VISIBLE))


def figures(texts: list[str]) -> list[float | None]:
    return [None if text == "–" else float(text.replace("\u202f", "").removeprefix("~")) for text in texts]


def header(page: WebDriver, name: str) -> WebElement:
    return page.find_element(By.CSS_SELECTOR, f'#table-libraries th[data-column="{name}"]')


def choose(page: WebDriver, name: str, text: str) -> None:
    Select(page.find_element(By.CSS_SELECTOR, f'form[data-table="libraries"] [name="{name}"]')).select_by_visible_text(
        text
    )


def shown(page: WebDriver) -> str:
    return page.find_element(By.CSS_SELECTOR, 'form[data-table="libraries"] output').text.replace("\u202f", "")
