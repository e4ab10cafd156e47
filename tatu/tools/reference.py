"""The reference of Tatu's interface in Markdown, made from the comments of its headers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import groupby

from tatu.tools.headers import Header

_BEGINNING = """# Tatu's interface

Every public header of Tatu, with every type, function and constant that it declares. The text is the headers' own:
`python -m tatu.tools` makes this page and `tatu/keywords.txt` from them. [How to use Tatu](../how-to/tatu.md) begins
with whole programs.

"""
_LICENCE = re.compile(r"\n*MIT licence\.$")
_CODE_INDENT = "    "
# "  - a point", and "  name   what it is"
_ITEM = re.compile(r" {2}-(?P<name>) (?P<words>.*)")
_NAMED = re.compile(r" {2}(?P<name>\w+) {2,}(?P<words>.*)")


def _prose(text: str) -> str:
    """A comment as Markdown: lists and columns of names become lists, indented C becomes a block of code."""
    lines: list[str] = []
    is_code = is_list = False
    for line in _LICENCE.sub("", text).split("\n"):
        item = _ITEM.match(line) or _NAMED.match(line)
        if is_code and line and not line.startswith(_CODE_INDENT):
            lines += ["```", ""]
            is_code = False
        elif line.startswith(_CODE_INDENT) and not is_code and not is_list:
            lines.append("```c")
            is_code = True
        if is_code:
            lines.append(line.removeprefix(_CODE_INDENT))
        elif item is not None:
            if not is_list and lines[-1:] != [""]:
                lines.append("")
            name, words = item.group("name"), item.group("words")
            lines.append(f"- `{name}` {words}" if name else f"- {words}")
            is_list = True
        else:
            is_list = is_list and line.startswith("  ")
            lines.append(f"  {line.strip()}" if is_list else line.strip())
    while lines[-1:] == [""]:
        lines.pop()
    return "\n".join([*lines, "```"] if is_code else lines)


def reference(headers: Sequence[Header]) -> str:
    """The page: contents, then each header. Symbols that one comment describes stand together."""
    parts = [_BEGINNING]
    for header in headers:
        line = f"* [`{header.name}`](#{_anchor(header)}): {_title(header)}"
        parts.append(textwrap.fill(line, 120, subsequent_indent="  ", break_long_words=False) + "\n")
    for header in headers:
        parts.append(f"\n## `{header.name}`\n\n{_prose(header.about)}\n")
        for about, symbols in groupby(header.symbols, key=lambda symbol: symbol.about):
            declarations = "\n".join(symbol.declaration for symbol in symbols)
            parts.append(f"\n```c\n{declarations}\n```\n")
            if about:
                parts.append(f"\n{_prose(about)}\n")
    return "".join(parts)


def _anchor(header: Header) -> str:
    return header.name.replace("/", "").replace(".", "")


def _title(header: Header) -> str:
    """The first sentence of the header's comment."""
    first = header.about.split("\n\n")[0].replace("\n", " ").removeprefix("Tatu: ")
    return re.split(r"(?<!Rev)\. ", first)[0].rstrip(".") + "."
