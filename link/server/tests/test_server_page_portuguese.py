"""The page and its alarms in Brazilian Portuguese: no sentence is missing, and a browser shows none in English."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_support import text_of
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from server_support import Site, until

SERVER = Path(__file__).resolve().parents[1]
PAGE = SERVER / "page"
PULSES_PER_MM = 5

_ENTRY = re.compile(r'^msgid ((?:"[^\n]*"\n)+)msgstr ((?:"[^\n]*"\n?)+)', re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\w+\}")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_HOLE = re.compile(r"\$\{[^{}]*\}")
# Strings of the scripts that nobody reads.
_UNSEEN = re.compile(
    r"alarm many|small plain|count .*|Português|alarm rank.*|card .*|pill .*|12px .*|\(prefers-.*|AbortError|/.*"
    r"|Home|End|InfluxDB|[a-z_-]+"
    r"|[a-z-]+ [a-z]+ \{\}|Node|AES-.*|Ascon-AEAD128"
)
# Words of the page's English that no Portuguese sentence of it has.
_ENGLISH = re.compile(
    r"\b(the|of|and|heard|since|ago|delivered|readings?|sensors|missing|threshold|not|never|from)\b", re.I
)


def catalogue() -> dict[str, str]:
    text = (PAGE / "pt-BR.po").read_text(encoding="utf-8")

    def whole(lines: str) -> str:
        return "".join(json.loads(line) for line in lines.splitlines())

    found = {whole(message): whole(said) for message, said in _ENTRY.findall(text)}
    found.pop("")
    return found


def test_placeholders_agree_and_every_message_has_a_text() -> None:
    wrong = {
        message: text
        for message, text in catalogue().items()
        if not text or set(_PLACEHOLDER.findall(message)) != set(_PLACEHOLDER.findall(text))
    }
    assert wrong == {}


def _says() -> Iterator[str]:
    """What the page and the messages are made of, pieces of sentences included; `{}` for what is filled in."""
    for name in ("index.html", "login.html"):
        page = (PAGE / name).read_text(encoding="utf-8")
        for text in [*re.findall(r">([^<>]+)<", page), *re.findall(r'aria-label="([^"]*)"', page)]:
            yield html.unescape(" ".join(text.split()))
    for name in sorted(path.name for path in PAGE.glob("*.js") if path.name != "language.js"):
        script = re.sub(r"^\s*(//|/\*\*|import ).*$", "", (PAGE / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for one in _STRING.finditer(script):
            yield one[1] if one[1] is not None else _HOLE.sub("{}", one[2])
    sources = ("conditions.rs", "page/auth.rs", "page/notes.rs", "page/people.rs", "password.rs")
    rust = "".join((SERVER / "src" / name).read_text(encoding="utf-8") for name in sources)
    for text in re.findall(r'(?:headline|detail): (?:format!\(\s*)?"([^"]+)"', rust):
        yield _PLACEHOLDER.sub("{}", re.sub(r"\{[^{}]*\}", "{}", text))
    for text in re.findall(r'form\(\s*StatusCode::\w+,\s*(?:&format!\()?"([^"]+)"', rust):
        yield re.sub(r"\{[^{}]*\}", "{}", text)
    yield from re.findall(r'(?:refused\(|ADMINISTRATOR: &str = )"([^"]+)"', rust)


def test_no_sentence_is_missing() -> None:
    known = [_PLACEHOLDER.sub("{}", message) for message in catalogue()]
    whole = "\n".join(known)
    missing = [
        text
        for text in dict.fromkeys(" ".join(one.split()) for one in _says())
        if re.search(r"[A-Za-z]{2}", text.replace("{}", ""))
        and re.search(r"[A-Z]| ", text)
        and not _UNSEEN.fullmatch(text)
        and "${" not in text
        and not re.fullmatch(r"\W*\w{1,4}\W*\w{0,3}", text)
        and text.strip("; .") not in whole
        and re.sub(r"^\{\}\W*", "", text).strip("; .") not in whole
        and not any(re.fullmatch(re.escape(text).replace(r"\{\}", ".*"), message) for message in known)
    ]
    assert missing == []


@pytest.fixture
def portuguese(browser: webdriver.Chrome) -> webdriver.Chrome:
    browser.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": "pt-BR"})
    browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "Object.defineProperty(navigator, 'languages', {get: () => ['fr', 'pt-BR', 'en']})"},
    )
    return browser


def test_a_browser_shows_no_english(farm: Site, portuguese: webdriver.Chrome) -> None:
    farm.create(fleet=3, extra=("--rain-alarm", "40", "--rain-window", "10"))
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    rainy, dry, _never = farm.devices
    now_ms = int(time.time() * 1000)
    for counter in range(1, 30):
        if counter % 10 != 5:
            # Its count of rain begins anew on the way.
            pulses = 50 if counter < 20 else 3
            frame = dry.frame(counter, pulses=pulses, temperature_mc=18_000 + 10 * counter, supply_mv=2900)
            gateway.send([frame], now_ms - int((6 - counter / 5) * 60_000))
    gateway.send([rainy.frame(1, pulses=100)], now_ms - 360_000)
    gateway.drain()
    page = portuguese
    page.get(server.page_url())
    page.find_element(By.ID, "password").send_keys("wrong password", Keys.ENTER)
    until(lambda: "O nome ou a senha está errado." in text_of(page, ".mistake"), "the mistake is named")
    assert "Seu nome|Senha" in text_of(page, "label")
    page.find_element(By.ID, "password").send_keys(farm.password, Keys.ENTER)
    until(lambda: text_of(page, "#connection") == "ao vivo", "the page is live")
    until(lambda: "das últimas" in text_of(page, ".card"), "a card in Portuguese")
    until(lambda: "ouvido há" in text_of(page, ".card"), "and its age")
    gateway.deliver([rainy.frame(2, pulses=100 + 8 * PULSES_PER_MM)])
    until(lambda: "Alarme de chuva: Sensor 1" in text_of(page, "#alarms h2"), "the alarm is shown")
    assert "o limiar é 40 mm/h" in text_of(page, "#alarms p")
    until(lambda: page.title.startswith("⚠ 1 alarme de chuva"), "the title says it")
    forged = bytearray(dry.frame(70))
    forged[12] ^= 8
    gateway.deliver([bytes(forged)])
    until(lambda: "etiqueta falsificada: 1" in text_of(page, "#reasons"), "the refusal is shown")
    until(lambda: "Alarme de chuva: Sensor 1" in text_of(page, "#notices"), "the notice is shown")
    page.find_element(By.CSS_SELECTOR, f".card[data-device='{dry.id}']").click()
    until(lambda: " de " in text_of(page, "#lost"), "the series is shown")
    assert "pelo menos 0,0 mm ao todo: o que caiu antes de uma nova contagem" in text_of(page, "#rain-out")
    assert "pelo menos 0,0 mm" in text_of(page, "#readings")
    shown = page.find_element(By.TAG_NAME, "body").text
    assert _ENGLISH.findall(shown) == [], shown
    # What somebody called a sensor stays as it is, even where the page has the same word.
    farm.query(f"UPDATE device SET name = 'Battery' WHERE id = {dry.id}")
    until(lambda: "Battery" in text_of(page, f".card[data-device='{dry.id}'] .head"), "the name as it was given")
    for width in (1280, 390):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        until(lambda: page.execute_script("return document.documentElement.scrollWidth <= innerWidth"), "it fits")
    # Whoever wants the page in English gets it, and keeps it.
    page.get(f"{server.page_url()}?lang=en")
    until(lambda: text_of(page, "#connection") == "live", "English again")
    page.get(server.page_url())
    until(lambda: text_of(page, "#connection") == "live", "English is remembered")
