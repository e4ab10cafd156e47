"""A page in another language: what a reader sees or hears of it is translated, and its markup stays as it is."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from itertools import count

from bancada.language.catalogue import Catalogue
from bancada.language.figures import with_decimal_comma

_TAG = re.compile(r"(<[^>]*>)")
_NAME = re.compile(r"</?([a-zA-Z][\w-]*)")
_ATTRIBUTE = re.compile(r'((?:^|\s)(?:title|aria-label|placeholder|alt|summary|data-label)=")([^"]*)(")')
# Elements inside a sentence: with what they hold they are one placeholder of it.
_INLINE = ("a", "abbr", "b", "br", "code", "em", "i", "kbd", "small", "strong", "sub", "sup", "tspan", "wbr")
_EMPTY = ("br", "wbr")
_OPAQUE = ("script", "style", "code", "pre", "kbd")
# What the page itself says not to translate: a quotation in English, and a name (HTML Standard, 3.2.6.5, `translate`).
_KEPT = (' lang="en"', ' translate="no"')
# Comments, strings in single quotes and patterns are passed over: a quotation mark in them begins nothing.
_STRING = re.compile(
    r"""//[^\n]*|'(?:[^'\\\n]|\\.)*'|/\[[^\n/]*\]\S*?/"""
    r"""|(?P<said>said\()?"(?P<text>(?:[^"\\\n]|\\.)*)"|`(?P<template>(?:[^`\\]|\\.)*)`"""
)
_IN_STRING = re.compile(r"\$\{([^{}]*)\}")

Translate = Callable[[str], str]


def in_language(page: str, catalogue: Catalogue) -> str:
    """The page, or a part of one, in the language of the catalogue."""
    if not catalogue.has_messages:
        return page

    def told(text: str) -> str:
        return with_decimal_comma(catalogue.gettext(text))

    return _translated(_TAG.split(page), told).replace('<html lang="en"', '<html lang="pt-BR"', 1)


def sentences(page: str) -> list[str]:
    """Everything that `in_language` would translate, in its order: placeholders stand for elements inside."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _translated(_TAG.split(page), note)
    return found


def script_in_language(script: str, catalogue: Catalogue) -> str:
    """A script whose strings are in the language, those that the catalogue has."""
    if not catalogue.has_messages:
        return script

    def replaced(found: re.Match[str]) -> str:
        if found["text"] is not None and _is_read(found):
            return f'{found["said"] or ""}"{_told(found["text"], catalogue)}"'
        if found["template"] is None:
            return found[0]
        names = _IN_STRING.findall(found["template"])
        text = catalogue.exact(_numbered(found["template"]))
        if text is None:
            return found[0]
        return "`" + re.sub(r"\{(\d+)\}", lambda place: "${" + names[int(place[1])] + "}", text) + "`"

    return _STRING.sub(replaced, script)


def script_strings(script: str) -> list[str]:
    """Every string of a script that a reader can see, as `script_in_language` looks it up."""
    found = list(_STRING.finditer(script))
    return [
        one["text"] if one["text"] is not None else _numbered(one["template"])
        for one in found
        if one["template"] is not None or (one["text"] is not None and _is_read(one))
    ]


def _is_read(found: re.Match[str]) -> bool:
    """A word alone, without a capital, is a name of the script, unless the script says that it is said."""
    return bool(found["said"]) or " " in found["text"] or found["text"][:1].isupper()


def _numbered(text: str) -> str:
    """The text of a template literal, with a number for each expression in it."""
    counter = count()
    return _IN_STRING.sub(lambda _: f"{{{next(counter)}}}", text)


def _told(text: str, catalogue: Catalogue) -> str:
    return catalogue.exact(text) or text


def _name(tag: str) -> str:
    found = _NAME.match(tag)
    return found[1].lower() if found else ""


def _translated(pieces: list[str], translate: Translate) -> str:
    out: list[str] = []
    run: list[str] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        name = _name(piece) if piece.startswith("<") else ""
        if name in _INLINE and not piece.startswith("</"):
            end = at + 1 if name in _EMPTY or piece.endswith("/>") else _end(pieces, at, name)
            run.append("".join(pieces[at:end]))
            at = end
        elif not name and not piece.startswith("<"):
            run.append(piece)
            at += 1
        else:
            out.append(_run(run, translate))
            run = []
            end = _end(pieces, at, name) if _is_opaque(piece, name) else at + 1
            out.append(_tag(piece, translate))
            out += pieces[at + 1 : end]
            at = end
    return "".join([*out, _run(run, translate)])


def _is_opaque(tag: str, name: str) -> bool:
    return not tag.startswith("</") and name != "html" and (name in _OPAQUE or any(mark in tag for mark in _KEPT))


def _end(pieces: list[str], at: int, name: str) -> int:
    """Behind the closing tag of the element that opens at `at`."""
    depth = 0
    for index in range(at, len(pieces)):
        if pieces[index].startswith("<") and _name(pieces[index]) == name:
            depth += -1 if pieces[index].startswith("</") else 1
            if depth == 0:
                return index + 1
    return at + 1


def _tag(tag: str, translate: Translate) -> str:
    return _ATTRIBUTE.sub(lambda found: found[1] + html.escape(translate(html.unescape(found[2]))) + found[3], tag)


def _run(run: list[str], translate: Translate) -> str:
    """Text and the elements inside it, as one message."""
    if not run:
        return ""
    texts = [piece for piece in run if not piece.startswith("<")]
    if not "".join(texts).strip():
        return "".join(piece if not piece.startswith("<") else _element(piece, translate) for piece in run)
    elements: list[str] = []
    message = ""
    for piece in run:
        if piece.startswith("<"):
            message += f"\x02{len(elements)}\x03"
            elements.append(_element(piece, translate))
        else:
            message += piece
    core = re.sub(r"\x02(\d+)\x03", r"{e\1}", html.unescape(message))
    text = html.escape(translate(core), quote=False)
    return re.sub(r"\{e(\d+)\}", lambda place: elements[int(place[1])], text)


def _element(piece: str, translate: Translate) -> str:
    """An element inside a sentence: what it holds is a message of its own, unless it is code or a name."""
    pieces = [one for one in _TAG.split(piece) if one]
    if len(pieces) < 2 or _is_opaque(pieces[0], _name(pieces[0])):
        return piece
    inner = _translated(pieces[1:-1], translate)
    return _tag(pieces[0], translate) + inner + pieces[-1]
