"""Figures of a page in Portuguese: a decimal comma, where the sources and the exports have a point.

Thousands are apart by a narrow space in both languages (ISO 80000-1, 7.3.1), so a comma cannot be mistaken. English
prose has a comma there, which becomes that space: a text is brought into this form once.
"""

from __future__ import annotations

import re

# Digits with one point: not a version of three parts, not a part of a name, of a path or of an address.
_FIGURE = re.compile(r"(?<![\w./@=])(?<![A-Za-z]-)(\d[\d\u202f]*)\.(\d+)(?![\w/]|\.\w|-[A-Za-z])")
_THOUSANDS = re.compile(r"(?<![\w.,/-])[1-9]\d{0,2}(?:,\d{3})+(?![\w,]|\.\d{4})")
# What has versions or numbered parts: what is behind it is no figure.
_NUMBERED = re.compile(
    r"\b(?:\w+-gcc|gcc|clang|LLVM|QEMU|simavr|Rust|TLS|MQTT|Python|firmware|IEEE|[Vv]ersion|[Vv]ersão|[Ss]ection"
    r"|[Ss]eção|[Ss]eções|[Tt]able|[Tt]abela|[Cc]hapter|[Cc]apítulo|[Ff]igure|[Ff]igura|[Ee]quation|[Ee]quação|§) $"
)
# A name and its version, and nothing else.
_NAME_AND_VERSION = re.compile(r"[A-Za-z][\w+-]{2,} \d+(\.\d+)+")
_LIST = re.compile(r"(?<=\d,)(\d+), (?=\d[\d\u202f]*,\d)")


def with_decimal_comma(text: str) -> str:
    """The text with a comma in each figure; a list of bare figures gets semicolons, so that it stays a list."""
    text = _THOUSANDS.sub(lambda found: found[0].replace(",", "\u202f"), text)
    if "." not in text or _NAME_AND_VERSION.fullmatch(text.strip()):
        return text

    def comma(found: re.Match[str]) -> str:
        is_figure = not _NUMBERED.search(text[: found.start()])
        return f"{found[1]},{found[2]}" if is_figure else found[0]

    return _LIST.sub(r"\1; ", _FIGURE.sub(comma, text))
