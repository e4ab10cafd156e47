"""The report in Brazilian Portuguese, as text and in Chromium."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver.common.by import By

from bancada.answers.report.page import draw_report
from bancada.language.catalogue import catalogue
from bancada.language.page import sentences
from bancada.measure.read_metrics import read_metrics
from tests.answers.report.page_support import Open, Wait
from tests.answers.report.report_sample import report_input
from tests.language.english_left import english_left

_PORTUGUESE = catalogue("pt_BR")
# Elements of the report's frame whose sentences are the report's own, and no prose of the sample.
_FRAME = re.compile(r"<(?:summary|label|button|option|th scope=\"col\")[^>]*>[^<]*", re.DOTALL)
# What is no sentence: a name of an implementation, an operation, a level or an algorithm, and a figure with its unit.
_NAME = re.compile(r"[a-z][\w./-]*( [a-z][\w.-]*){0,3}|[A-Z][\w-]*|-O\w|\W*|\d.*", re.DOTALL)


# What the sample's experiment says, whose prose is in no catalogue: how each such text begins.
_OF_SAMPLE = (
    "What cryptography costs",
    "active current",
    "power-down current",
    "Which AES library",
    "RAM: ",
    "AESAVS VarKey-192",
    "The device did not answer",
    "avr-gcc: ",
    "No library is favoured",
    "Which cipher should",
    "The study",
    "Transmissor, qualquer cipher",
    "throughput",
    "Ours ends with",
)
_VERSION = re.compile(r"-gcc \d")


@pytest.fixture(scope="module")
def page() -> str:
    return draw_report(report_input(), read_metrics(), _PORTUGUESE)


def test_the_frame_has_no_english_sentence(page: str) -> None:
    english = draw_report(report_input(), read_metrics())
    frame = {" ".join(text.split()) for text in sentences("".join(_FRAME.findall(english)))}
    missing = sorted(text for text in frame if not _PORTUGUESE.has(text) and not _NAME.fullmatch(text))
    assert missing == []
    assert 'lang="pt-BR"' in page


def test_the_figures_are_those_of_the_english_page(page: str) -> None:
    english = draw_report(report_input(), read_metrics())
    cell = re.compile(r'<td[^>]*class="n[^>]*>([\d\u202f.,]+)<')
    figures = cell.findall(english)
    assert any("." in figure for figure in figures)
    assert cell.findall(page) == [figure.replace(".", ",") for figure in figures]
    data = re.compile(r'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
    titles = re.compile(r'"figures":.*?\]\]')
    assert data.findall(english)
    assert [titles.sub("", one) for one in data.findall(page)] == [titles.sub("", one) for one in data.findall(english)]
    assert '["cycles_median","Ciclos","ciclos"]' in page


def test_no_figure_has_a_decimal_point(page: str) -> None:
    seen = re.sub(
        r"<(script|style|code|cite)\b.*?</\1>|<(\w+)[^>]* lang=\"en\".*?</\2>|<[^>]*>", "\n", page, flags=re.DOTALL
    )
    points = re.findall(r".*(?<![\w.-])\d+\.\d+(?![.\w]).*", seen)
    assert [line.strip() for line in points if not _VERSION.search(line)] == []


def test_no_english_word_is_left(page: str) -> None:
    left = english_left(page)
    assert {text: words for text, words in left.items() if not text.startswith(_OF_SAMPLE)} == {}
    english = english_left(draw_report(report_input(), read_metrics()))
    assert len(english) > 100, "the check finds nothing in an English page"


def test_the_name_of_an_experiment_is_what_one_types(page: str) -> None:
    # `bancada run libraries`: the word `libraries` has a translation, and the name has none.
    assert _PORTUGUESE.exact("libraries") == "bibliotecas"
    bar, eyebrow = re.search(r"<nav .*?</nav>", page, re.DOTALL), re.search(r'<p class="eyebrow">.*?</p>', page)
    assert bar and re.search(r">libraries\s*</a>", bar[0])
    assert eyebrow and eyebrow[0] == '<p class="eyebrow">Experimento <b translate="no">libraries</b></p>'


@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_the_screen_and_its_script_speaks_portuguese(show: Open, wait: Wait, page: str, width: int) -> None:
    shown = show(page, width)
    assert shown.execute_script("return document.documentElement.lang") == "pt-BR"
    assert shown.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert "Como foi medido" in shown.find_element(By.TAG_NAME, "body").text
    # A row that is opened says where its figures are from.
    shown.execute_script("document.querySelector('.best a').click()")
    wait.until(lambda _: shown.find_elements(By.CSS_SELECTOR, ".provenance"))
    opened = shown.find_element(By.CSS_SELECTOR, ".provenance").text
    assert "exato" in opened or "modelado" in opened
    assert not re.search(r"\b(exact|modelled)\b", opened)
    flash = shown.find_element(By.CSS_SELECTOR, "form.limits input")
    typed = "arguments[0].value = '1'; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
    shown.execute_script(typed, flash)
    assert "nada cabe" in shown.find_element(By.TAG_NAME, "body").text
    assert shown.get_log("browser") == []  # type: ignore[no-untyped-call]
