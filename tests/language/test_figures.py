"""The decimal comma of a page in Portuguese: figures have it; versions, names and addresses keep their points."""

from __future__ import annotations

import pytest

from bancada.language.catalogue import Catalogue
from bancada.language.figures import with_decimal_comma
from bancada.language.page import in_language

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("353.6 µs", "353,6 µs"),
        ("~1\u202f234.5", "~1\u202f234,5"),
        ("±1.8 %, +0.5 to -0.5", "±1,8 %, +0,5 to -0,5"),
        ("leva 2.5 vezes o tempo.", "leva 2,5 vezes o tempo."),
        ("0.5-0.7 V", "0,5-0,7 V"),
        ("8.2, 36.6, 59.0", "8,2; 36,6; 59,0"),
        ("1,416 B", "1\u202f416 B"),
        ("2,095,120 bytes, 1,215.5 µs", "2\u202f095\u202f120 bytes, 1\u202f215,5 µs"),
        ("8.2 ms, 36.6 ms", "8,2 ms, 36,6 ms"),
    ],
)
def test_a_figure_has_a_comma(text: str, said: str) -> None:
    assert with_decimal_comma(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Bancada 1.0.0",
        "libyubikey 1.13",
        "avr-gcc 5.4 -Os",
        "Apache-2.0 OR GPL-2.0-or-later",
        "xu3-little@1000MHz-1.89V",
        "FIPS 180-4, seção 5.3.3",
        "TLS 1.3",
        "https://doi.org/10.1007/978-3-540-28632-5_20",
        "IEEE 802.11n",
        "ykaes.c:112",
        "22.874.557",
    ],
)
def test_what_is_no_figure_stays(text: str) -> None:
    assert with_decimal_comma(text) == text


def test_markup_and_code_and_what_is_english_keep_their_points() -> None:
    page = (
        '<p style="left: 1.5%" title="1.5 ms">1.5 ms <code>1.5</code></p><text x="1.5">1.5</text>'
        '<script>{"a":1.5}</script><span lang="en">5.2 mA at 8 MHz</span>'
    )
    assert in_language(page, Catalogue("xx", {"time": "tempo"})) == (
        '<p style="left: 1.5%" title="1,5 ms">1,5 ms <code>1.5</code></p><text x="1.5">1,5</text>'
        '<script>{"a":1.5}</script><span lang="en">5.2 mA at 8 MHz</span>'
    )
    assert in_language(page, Catalogue("en", {})) == page
