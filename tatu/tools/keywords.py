"""Which words the Arduino IDE colours (Arduino library specification, "keywords.txt")."""

from __future__ import annotations

from collections.abc import Sequence

from tatu.tools.headers import Header

_KINDS = {"type": "KEYWORD1", "function": "KEYWORD2", "constant": "LITERAL1"}


def keywords(headers: Sequence[Header]) -> str:
    """The text of keywords.txt: types, functions and constants, each kind by name, with one tab."""
    lines = []
    for kind, colour in _KINDS.items():
        lines += [f"# {kind}s", ""]
        names = {symbol.name for header in headers for symbol in header.symbols if symbol.kind == kind}
        lines += [f"{name}\t{colour}" for name in sorted(names)]
        lines.append("")
    return "\n".join(lines)
