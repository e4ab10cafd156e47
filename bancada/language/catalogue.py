"""A gettext catalogue (a .po file) that translates whole sentences, those with figures and names in them included.

A message may have placeholders: `There is no {kind} '{name}'` translates every sentence of that form. What stands for a
placeholder is translated in its turn, unless it is a name: quoted, behind an option, or where the placeholder is called
`names`, `path`, `folder` or `output`. The longest form that a sentence has is the one that counts.
"""

from __future__ import annotations

import ast
import gettext
import hashlib
import re
from collections import defaultdict
from functools import cache
from importlib.resources import files

# `!r` is part of the placeholders of the command line's library.
_PLACEHOLDER = re.compile(r"\{(\w+)(?:!r)?\}")
_IN_CODE = re.compile(r"`[^`]+`")
# What stands for these placeholders, in quotes or behind an option is no word: it stays.
_OF_NAMES = re.compile(r"names|path|folder|output")
_BEHIND_AN_OPTION = re.compile(r"--[a-z-]+ $")
_BEFORE_A_NAME = re.compile(rf"['\"`«]$|{_BEHIND_AN_OPTION.pattern}")
_LETTERS = re.compile(r"[^\W\d_]{2}")
# Not the narrow space of figures.
_SPACES = re.compile(r"[ \t\r\n]+")


class Catalogue(gettext.NullTranslations):
    """One language. Without messages it is English, which changes nothing."""

    def __init__(self, language: str, messages: dict[str, str]) -> None:
        super().__init__()
        self.language = language
        self._messages = {_spaced(message): text for message, text in messages.items() if text}
        self._messages |= dict(_on_page(message, text) for message, text in self._messages.items() if "`" in message)
        self._known: dict[str, str] = {}
        self._forms: defaultdict[str, list[_Form]] = defaultdict(list)
        for message, text in self._messages.items():
            if _PLACEHOLDER.search(message) and _LETTERS.search(_PLACEHOLDER.sub("", message)):
                self._forms[_beginning(message)].append(_Form(message, text))
        self._ordered: dict[str, list[_Form]] = {}

    def gettext(self, message: str) -> str:
        """The message in this language; itself if the catalogue does not have it. Spaces around it stay."""
        core = message.strip()
        if not self._messages or not _LETTERS.search(core):
            return message
        if core not in self._known:
            self._known[core] = self._said(_spaced(core)) or self._pieced(_spaced(core))
        return message.replace(core, self._known[core], 1)

    @property
    def has_messages(self) -> bool:
        """False for English."""
        return bool(self._messages)

    @property
    def digest(self) -> str:
        """Hash of all messages; '' for English. A page in another language is another page."""
        said = repr(sorted(self._messages.items())).encode()
        return hashlib.sha256(said).hexdigest()[:16] if self._messages else ""

    def exact(self, message: str) -> str | None:
        """The text of that very message; None if the catalogue does not have it."""
        return self._messages.get(_spaced(message))

    def has(self, message: str) -> bool:
        """Whether the catalogue has the message or a form of it."""
        return self._piece(_spaced(message.strip()), is_one=True) is not None

    def _forms_of(self, beginning: str) -> list[_Form]:
        """The forms that a message with these first letters can have, the longest first."""
        if beginning not in self._ordered:
            own = self._forms.get(beginning, []) if beginning else []
            self._ordered[beginning] = sorted([*own, *self._forms.get("", [])], key=lambda form: form.place)
        return self._ordered[beginning]

    def _pieced(self, message: str) -> str:
        """The message with those of its pieces translated that the catalogue has, the longest first: lists, labels with
        a figure behind them, and what stands beside an element of a page."""
        tokens = [token for token in _BETWEEN.split(message) if token]
        told, at = "", 0
        while at < len(tokens):
            ends = range(len(tokens), at, -1)
            found = ((end, self._piece("".join(tokens[at:end]), end - at == 1)) for end in ends)
            end, text = next(((end, text) for end, text in found if text is not None), (at + 1, self._sign(tokens[at])))
            told, at = told + text, end
        return told

    def _measure(self, behind: str) -> str:
        """A figure behind its label, which may have a unit of words."""
        figure = behind.removeprefix(" = ")
        return behind.removesuffix(figure) + (self._translated(figure) or figure)

    def _sign(self, token: str) -> str:
        """What stands between pieces, which may be a word."""
        word = token.strip()
        return token.replace(word, self._messages.get(word, word), 1) if word else token

    def _piece(self, piece: str, is_one: bool) -> str | None:
        """A piece of a message: a message, with a capital or a small first letter, a figure behind it or none. Only
        what cannot be divided further may be of a form."""
        for first, begin in ((piece[:1], str), (piece[:1].lower(), _capital)):
            same = first + piece[1:]
            text = self._said(same) if is_one else self._messages.get(same) or self._begun(same)
            if text is not None:
                return begin(text)
        behind = _FIGURE_BEHIND.fullmatch(piece)
        head = self._piece(behind[1], is_one) if behind else None
        if behind and head is not None:
            return head + self._measure(behind[2])
        return self._translated(piece) if is_one else None

    def _said(self, message: str) -> str | None:
        """The message or a form of it, one that has letters enough to be nothing else."""
        if message in self._messages:
            return self._messages[message]
        return self._formed(message, is_loose=False)

    def _begun(self, message: str) -> str | None:
        """A form whose first letters the message has: there are few, so that every piece of a message can be tried."""
        for form in self._forms.get(message[:_BEGINNING], ()):
            if not form.is_light and (found := form.match(message, self)) is not None:
                return form.filled(found, self)
        return None

    def _translated(self, message: str) -> str | None:
        return self._said(message) or self._formed(message, is_loose=True)

    def _formed(self, message: str, is_loose: bool) -> str | None:
        for form in self._forms_of(message[:_BEGINNING]) if message else ():
            if form.is_loose is is_loose and (found := form.match(message, self)) is not None:
                return form.filled(found, self)
        return None


# What stands between the pieces of a message that is put together: signs, and elements of a page.
_BETWEEN = re.compile(r"(; |: |, |\. |\.$| \(|\)| against | gives |\s*\{e\d+\}\s*)")
_FIGURE_BEHIND = re.compile(
    r"(.*?[^\W\d]\S*)"
    r"((?: = ?| )[~+−±-]?\d[\d.,\u202f]*(?: ?[±%×] ?[\d.,]*)*|(?: = \d[\d.,\u202f]*(?: (?!gives\b)[\w/]+){0,2}))"
)

# A form with fewer letters of its own, such as `{} of {}`, is one only of names, figures and what the catalogue has: a
# sentence that happens to have an "of" in it stays whole.
_LIGHT_LETTERS = 9
_OF_SENTENCES = re.compile(r"(?<![\w-])(the|a|an|is|are|of|and|with|by|for|to|in|on|at|than|its)(?![\w-])")
# So many first letters choose the forms that are tried.
_BEGINNING = 3


class _Form:
    """A message with placeholders."""

    def __init__(self, message: str, text: str) -> None:
        self.text = text
        self._quoted: set[str] = set()
        parts, seen, at = [], set(), 0
        self._literals = [part for part in _PLACEHOLDER.split(message)[::2] if part]
        self._first, self._last = _PLACEHOLDER.split(message)[0], _PLACEHOLDER.split(message)[-1]
        for found in _PLACEHOLDER.finditer(message):
            name = found[1]
            before = message[: found.start()]
            if _OF_NAMES.match(name) or _BEFORE_A_NAME.search(before):
                self._quoted.add(name)
            # Of a list of options, each has its own.
            what = "[^()]*?" if _BEHIND_AN_OPTION.search(before) else ".*?"
            parts.append(re.escape(message[at : found.start()]))
            parts.append(f"(?P=p_{name})" if name in seen else f"(?P<p_{name}>{what})")
            seen.add(name)
            at = found.end()
        self.pattern = re.compile("".join([*parts, re.escape(message[at:])]), re.DOTALL)
        # The most letters first, then the fewest placeholders.
        self.place = (-len(_PLACEHOLDER.sub("", message).replace(" ", "")), len(self._literals))
        self.is_light = sum(letter.isalpha() for letter in _PLACEHOLDER.sub("", message)) < _LIGHT_LETTERS
        self.is_loose = self.is_light and not self._first

    def match(self, message: str, catalogue: Catalogue) -> re.Match[str] | None:
        """What stands for each placeholder, if the message has this form."""
        # Nearly every form is ruled out by its own letters, which takes a hundredth of the time of its pattern.
        if not (message.startswith(self._first) and message.endswith(self._last)):
            return None
        if not all(literal in message for literal in self._literals):
            return None
        found = self.pattern.fullmatch(message)
        if found and self.is_light:
            for said in found.groups():
                if _OF_SENTENCES.search(said) and not catalogue.has(said):
                    return None
        return found

    def filled(self, found: re.Match[str], catalogue: Catalogue) -> str:
        """The text with what stood for each placeholder."""

        def value(place: re.Match[str]) -> str:
            said = found[f"p_{place[1]}"]
            return said if place[1] in self._quoted else catalogue.gettext(said)

        return _PLACEHOLDER.sub(value, self.text)


def _on_page(message: str, text: str) -> tuple[str, str]:
    """The message as a page has it, where code is an element: {e0}, {e1}... (bancada.language.page)."""
    for number, code in enumerate(dict.fromkeys(_IN_CODE.findall(message))):
        message, text = (one.replace(code, f"{{e{number}}}") for one in (message, text))
    return message, text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _beginning(message: str) -> str:
    start = message[:_BEGINNING]
    return "" if "{" in start else start


def _spaced(message: str) -> str:
    """The message on one line: line breaks of a source mean nothing."""
    return _SPACES.sub(" ", message)


def read_po(text: str) -> dict[str, str]:
    """The messages of a .po file, without its header and what is marked as fuzzy (GNU gettext, "The Format of PO
    Files")."""
    messages: dict[str, str] = {}
    message, said, at, is_fuzzy, is_next_fuzzy = "", "", "", False, False
    for line in [*text.splitlines(), 'msgid ""']:
        if line.startswith("#,"):
            is_next_fuzzy = "fuzzy" in line
        elif line.startswith("msgid "):
            if message and not is_fuzzy:
                messages[message] = said
            message, said, at = ast.literal_eval(line[6:]), "", "msgid"
            is_fuzzy, is_next_fuzzy = is_next_fuzzy, False
        elif line.startswith("msgstr "):
            said, at = ast.literal_eval(line[7:]), "msgstr"
        elif line.startswith('"') and at == "msgid":
            message += ast.literal_eval(line)
        elif line.startswith('"'):
            said += ast.literal_eval(line)
    return messages


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language as `spoken` names it; that of English is empty."""
    file = files(__package__) / f"{language}.po"
    return Catalogue(language, read_po(file.read_text(encoding="utf-8")) if file.is_file() else {})
