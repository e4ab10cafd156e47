"""English words that a page in Portuguese still has: for the test of the report, and for a page of your own store.

Usage: python -m tests.language.english_left PAGE.html. A word is English if messages of the catalogue have it and no
text of the catalogue does: names and terms that both languages share are in both.
"""

from __future__ import annotations

import html
import re
import sys
from functools import cache
from pathlib import Path

from bancada.answers.report.packing import unpacked
from bancada.language.catalogue import read_po
from tests.language.messages import CATALOGUE

_WORD = re.compile(r"(?<![\w./@#-])[A-Za-z]{2,}(?![\w/@]|[-.]\w)")
_PLACEHOLDER = re.compile(r"\{\w+(?:!r)?\}")
_CODE = re.compile(r"`[^`]*`")
# Values of options, what stands in quotes, and names that there are.
_NAMED = re.compile(r"--[a-z-]+ [\w-]+|'[^'\n]*'|conhecidos: .*")
_OPAQUE = re.compile(
    r"<(script|style|code|pre|kbd|cite)\b.*?</\1>|<(?!html)(\w+)[^>]* (?:lang=\"en\"|translate=\"no\").*?</\2>",
    re.DOTALL,
)
_SEEN = re.compile(r">([^<>]+)<|\b(?:title|aria-label|placeholder|alt|data-label)=\"([^\"]*)\"")


@cache
def english_words() -> frozenset[str]:
    """Words of the catalogue's messages that none of its texts has."""
    messages = read_po(CATALOGUE.read_text(encoding="utf-8"))
    return _words(messages) - _words(messages.values())


def _words(texts: object) -> frozenset[str]:
    assert hasattr(texts, "__iter__")
    plain = (_CODE.sub(" ", _PLACEHOLDER.sub(" ", text)) for text in texts)
    return frozenset(word.lower() for text in plain for word in _WORD.findall(text))


def english_left(page: str) -> dict[str, list[str]]:
    """Each text that a reader of the page sees and that has English words, with those words."""
    found: dict[str, list[str]] = {}
    for one in _SEEN.finditer(_OPAQUE.sub("><", unpacked(page))):
        text = " ".join(html.unescape(one[1] or one[2] or "").split())
        words = [word for word in _WORD.findall(text) if word.lower() in english_words()]
        if words:
            found[text] = words
    return found


def english_in(said: str) -> dict[str, list[str]]:
    """Each line or cell of what a command says that has English words, with those words. The first cell of a row is a
    name."""
    found: dict[str, list[str]] = {}
    for line in _NAMED.sub("", _CODE.sub(" ", said)).splitlines():
        for text in line.split("│")[2:] if "│" in line else line.split("┃"):
            words = [word for word in _WORD.findall(text) if word.lower() in english_words()]
            if words:
                found[text.strip()] = words
    return found


if __name__ == "__main__":
    for text, words in english_left(Path(sys.argv[1]).read_text(encoding="utf-8")).items():
        print(f"{', '.join(words)}: {text}")
