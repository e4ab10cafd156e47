"""The page as a client of HTTP and as a browser sees it."""

from __future__ import annotations

import http.client
import shutil
import ssl
import urllib.parse
from collections.abc import Iterator

import pytest
from link_site import DEADLINE_S
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from server_support import Server, until


def request(
    server: Server,
    method: str,
    path: str,
    body: str = "",
    cookie: str = "",
    headers: dict[str, str] | None = None,
    context: ssl.SSLContext | None = None,
) -> tuple[int, dict[str, str], str]:
    url = urllib.parse.urlsplit(server.page_url())
    assert url.hostname and url.port
    connection: http.client.HTTPConnection
    if url.scheme == "https":
        connection = http.client.HTTPSConnection("localhost", url.port, timeout=DEADLINE_S, context=context)
    else:
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=DEADLINE_S)
    sent = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
    connection.request(method, path, body, {name: value for name, value in sent.items() if value})
    answer = connection.getresponse()
    text = answer.read().decode(errors="surrogateescape")
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def login(
    server: Server, password: str, context: ssl.SSLContext | None = None, name: str = ""
) -> tuple[int, dict[str, str], str]:
    """Without a name the first account is meant."""
    form = urllib.parse.urlencode({"username": name, "password": password})
    return request(server, "POST", "/login", form, context=context)


def session_of(server: Server, password: str, name: str = "") -> str:
    """The cookie of a new session."""
    status, headers, text = login(server, password, name=name)
    assert status == 303, text
    return headers["set-cookie"].split(";")[0]


@pytest.fixture
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    binary = shutil.which("chromium")
    assert binary, "the tests of the page need chromium and chromedriver: apt-get install chromium chromium-driver"
    options.binary_location = binary
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(DEADLINE_S)
    yield driver
    driver.quit()


def text_of(browser: webdriver.Chrome, selector: str) -> str:
    text: str = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent).join('|')", selector
    )
    return text


def enter(browser: webdriver.Chrome, server: Server, password: str) -> None:
    browser.get(server.page_url())
    browser.find_element(By.ID, "password").send_keys(password, Keys.ENTER)
    until(lambda: text_of(browser, "#connection") == "live", "the page is live")
