"""A small checker of the LaTeX that the export writes: what a compiler would stop at, without one."""

from __future__ import annotations

import re

_ENVIRONMENT = re.compile(r"\\(begin|end)\{(\w+)\}")
_COMMAND = re.compile(r"\\([a-zA-Z]+|.)")
_COLUMN = re.compile(r"p\{[^}]*\}|[lr]")
# Commands of LaTeX itself, booktabs, longtable and textcomp; all others are a mistake.
_KNOWN = frozenset(
    "begin end caption label toprule midrule bottomrule endfirsthead endhead endfoot endlastfoot multicolumn "
    "footnotesize textsuperscript linewidth textbackslash textasciitilde textasciicircum textless textgreater textmu "
    "begingroup endgroup pm div times cdot le ge dag dots".split()
) | frozenset("\\{}$&#%_,")
# What inputenc's UTF-8 with T1 fonts prints.
_PRINTED = frozenset("áàâãéêíóôõúçÁÂÃÉÊÍÓÔÕÚÇäöüÄÖÜß“”‘’—")


def problems(text: str) -> list[str]:
    """Every mistake, as a sentence. None: a compiler takes it."""
    found = []
    opened: list[str] = []
    for kind, name in _ENVIRONMENT.findall(text):
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            found.append(f"\\end{{{name}}} closes nothing")
    found += [f"\\begin{{{name}}} is not closed" for name in opened]
    bare = _COMMAND.sub(lambda one: "" if one[1] in _KNOWN else f"?{one[1]}?", text)
    found += [f"\\{name} is not known" for name in re.findall(r"\?(\w+)\?", bare)]
    for line in text.splitlines():
        without = re.sub(r"\\.", "", line)
        if without.count("{") != without.count("}"):
            found.append(f"braces do not match: {line}")
        if "%" in without or "#" in without or "_" in without or "~" in without or without.count("$") % 2:
            found.append(f"not escaped: {line}")
        if "^" in without:
            found.append(f"a power outside of mathematics: {line}")
    found += [
        f"U+{ord(sign):04X} has no definition" for sign in sorted(set(text)) if ord(sign) > 126 and sign not in _PRINTED
    ]
    return found + _rows(text)


def _rows(text: str) -> list[str]:
    """Rows of a table with another number of cells than it has columns."""
    found = []
    columns = 0
    for line in text.splitlines():
        if line.startswith((r"\begin{longtable}", r"\begin{tabular}")):
            columns = len(_COLUMN.findall(line.split("{", 2)[2]))
        elif columns and line.endswith(r"\\") and not line.startswith((r"\caption", r"\multicolumn")):
            cells = line.replace(r"\&", "").count("&") + 1
            if cells != columns:
                found.append(f"{cells} cells in a table of {columns} columns: {line}")
    return found
