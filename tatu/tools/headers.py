"""Reads Tatu's public headers: what each declares, and the comment that describes it.

A header is a comment on the whole, then groups of declarations. Blank lines separate groups. The comment at the head of
a group describes every declaration in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[1] / "src" / "tatu"

_FUNCTION = re.compile(r"\b(tatu_\w+)\(")
_ENCRYPTER = re.compile(r"TATU_INTERNAL_DEFINE_(?:BLOCKS_)?(EN|DE)CRYPTER\((\w+),(?: \w+,)?? ?(struct \w+),")
_CONSTANT = re.compile(r"#define (TATU_\w+)(?![\w(])(?: (.+))?$")
_TYPE = re.compile(r"(struct|enum|union) (tatu_\w+) \{|typedef .*?\b(tatu_\w+)\(")
_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_CONDITION = re.compile(r"#(if|ifdef|ifndef|else|elif|endif|include|undef)\b")


@dataclass(frozen=True)
class Symbol:
    """A name that programs use. `kind` is "function", "type" or "constant"; `declaration` is C, `about` its comment."""

    kind: str
    name: str
    declaration: str
    about: str


@dataclass(frozen=True)
class Header:
    """One header: its name as programs include it, the comment on the whole, and its symbols in their order."""

    name: str
    about: str
    symbols: tuple[Symbol, ...]


def _plain(comment: str) -> str:
    """The text of a comment without its frame."""
    lines = (re.sub(r"^ \*( |$)", "", line).rstrip() for line in comment.split("\n"))
    return "\n".join(lines).strip()


def _groups(text: str) -> Iterator[list[str]]:
    """Runs of lines without a blank line between them; one in a body or a comment does not separate."""
    group: list[str] = []
    depth = 0
    is_comment = False
    for line in text.split("\n"):
        if line.strip() or depth > 0 or is_comment:
            group.append(line)
        elif group:
            yield group
            group = []
        code = _COMMENT.sub("", line)
        is_comment = (is_comment or "/*" in code) and "*/" not in line
        depth += code.count("{") - code.count("}")
    if group:
        yield group


def _declarations(lines: list[str]) -> Iterator[str]:
    """Each declaration, body or macro of a group."""
    held: list[str] = []
    depth = 0
    for line in lines:
        if not held and _CONDITION.match(line):
            continue
        held.append(line)
        depth += line.count("{") - line.count("}")
        is_macro = held[0].startswith("#")
        ends = not line.endswith("\\") if is_macro else depth == 0 and line.rstrip().endswith((";", "}", ")"))
        if ends:
            yield "\n".join(held)
            held = []


def _symbol(declaration: str, about: str) -> Symbol | None:
    if found := _ENCRYPTER.match(declaration):
        prefix, name, context = found.groups()
        kind = "encrypter" if prefix == "EN" else "decrypter"
        text = f"struct tatu_block_{kind} {name}_{kind}(const {context} *context);"
        return Symbol("function", f"{name}_{kind}", text, about)
    if found := _CONSTANT.match(declaration):
        is_guard = found.group(2) is None
        return None if is_guard or "INTERNAL" in declaration else Symbol("constant", found.group(1), declaration, about)
    if declaration.startswith("#") or "INTERNAL_DEFINE" in declaration:
        return None
    if found := _TYPE.match(declaration):
        return Symbol("type", found.group(2) or found.group(3), declaration, about)
    if found := _FUNCTION.search(declaration):
        head = declaration.split("\n{")[0]
        text = head if head.endswith(";") else f"{head};"
        return Symbol("function", found.group(1), text.replace("TATU_INTERNAL_INLINE ", ""), about)
    return None


def read_header(path: Path) -> Header:
    """What a header declares. Names that end in an underscore or have "internal" in them are not for programs."""
    text = path.read_text().replace('extern "C" {', "").replace("#ifdef __cplusplus\n}\n#endif", "")
    whole = _COMMENT.match(text)
    assert whole is not None, f"{path.name} does not begin with a comment"
    symbols: list[Symbol] = []
    for group in _groups(text[whole.end() :]):
        block = "\n".join(group)
        head = _COMMENT.match(block)
        about = _plain(head.group(1)) if head else ""
        code = block[head.end() :] if head else block
        for declaration in _declarations([line for line in code.split("\n") if line.strip()]):
            symbol = _symbol(declaration, about)
            if symbol is None or symbol.name.endswith("_") or "internal" in symbol.name.lower():
                continue
            # A constant may be defined differently for another compiler or device. The first definition counts.
            if all(symbol.name != earlier.name for earlier in symbols):
                symbols.append(symbol)
    return Header(f"tatu/{path.name}", _plain(whole.group(1)), tuple(symbols))


def read_headers() -> list[Header]:
    """All public headers, by name."""
    return [read_header(path) for path in sorted(HEADERS.glob("*.h"))]
