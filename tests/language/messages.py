"""Every sentence that the laboratory says to a person, read from its sources, and the catalogue brought up to date.

Usage: python -m tests.language.messages. It writes bancada/language/pt_BR.po anew with Babel (pip install babel): a new
message has no text yet, and one that is gone is left out.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import click

from bancada.commands.cli import cli
from bancada.language.catalogue import read_po
from bancada.language.page import script_strings, sentences

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "bancada" / "language" / "pt_BR.po"

_HEADER = """\
# Bancada in Brazilian Portuguese. `make messages` keeps it in step with the sources.
msgid ""
msgstr ""
"Language: pt_BR\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
# Classes of errors that a user sees.
_ERRORS = (
    "UserError",
    "NotInThisRelease",
    "UsageError",
    "BadParameter",
    "ClickException",
    "DeviceError",
    "LinkError",
    "UpdateFailed",
    "NotAnImage",
)
# What is said, beside errors, is in these places: every sentence in them counts.
_SPEAKING = (
    "bancada/commands/*.py",
    "bancada/campaign/*.py",
    "bancada/model/errors.py",
    "bancada/store/*.py",
    "bancada/engines/board/*.py",
    "bancada/catalogue/plugins.py",
    "bancada/answers/ranking.py",
    "bancada/answers/compiler_table.py",
    "link/simulation/sensorlink/*.py",
    "link/simulation/sensorlink/update/*.py",
)
# What the report is made of.
_REPORT = (
    "bancada/answers/*.py",
    "bancada/answers/report/*.py",
    "bancada/audit/section.py",
    "bancada/validate/section.py",
    "bancada/studies/within_bands.py",
    "bancada/measure/metrics/*.py",
    "bancada/model/status.py",
)
_WORDS_ALONE = tuple(
    "experiment target candidate compiler metric core engine primitive algorithm implementation implementations"
    " operation key size tool for found missing device question title cycles time flash energy stack instructions"
    " unchanged slower faster smaller larger wrong vanished required yes no none decided exact modelled measured"
    " library libraries case cases finding findings right holds fewer less more better best version licence"
    " column unit name result results sender receiver verdict published ours figures status reason"
    " clock power static dynamic Library Candidate Operation Size Level Status Variant Algorithm Cycles Time"
    " level signature Energy Flash Fastest Leaks Keys File Function Search Notes Sources Sending Receiving"
    " image answered undecided jittered sending receiving tie current Fidelity Associated Sensors"
    " sensors commercial against gives logarithmic server client share failed any".split()
) + (
    "holds in part",
    "does not hold",
    "not asked",
    "not measured",
    "not comparable",
    "within the band",
    "no band",
    "a tie",
    "very close",
    "for all ciphers",
    "for both families",
    "every key",
    "public domain",
    "caller gives the IV",
    "the rest has figures",
    "sampled between calls",
    "whether the tag holds, which the result tells",
    "not-conformant",
    "does-not-fit",
    "does-not-build",
    "not-offered",
    "measured here",
    "key context",
    "cycles a byte",
    "Smallest flash",
    "Least RAM",
    "Block cipher",
    "Mode of operation",
    "any block cipher",
)
_EXPERIMENTS = tuple(sorted(path.parent.name for path in (ROOT / "experiments").glob("*/experiment.toml")))
_OF_EXPERIMENT = ("title", "question", "study", "notes", "citation", "label", "note")
_OF_SOURCE = ("note",)
_OF_FINDING = (
    "claim",
    "why",
    "why_not",
    "context",
    "published",
    "not_measured",
    "judged_for",
    "ours",
    "what",
    "note",
    "unit",
)
_DEVICES = ("targets/*/*.toml", "cores/*.toml", "cores/memories/*.toml")
_OF_DEVICE = ("title", "about")
_MONTHS = "January February March April May June July August September October November December".split()
# Sentences that the report puts together from several pieces.
_COMPOSED = (
    "next: {figure}",
    "{libraries}, {implementations} implementations, {cases} cases. {verdict}",
    "{cases} of {libraries}: {with_figures} with figures, {eliminated} eliminated.",
    "{cases} of {libraries}: {with_figures} with figures, {eliminated} eliminated; findings: {findings}.",
    "{metric}; ours: {name}",
    "Sending ({operation})",
    "Receiving ({operation})",
    "Sending ({operation}), {size}",
    "Receiving ({operation}), {size}",
    "{axis}, logarithmic",
    "{name}: {cycles} cycles, {flash} B of flash",
    "{name}: {time} µs, {cycles} cycles",
    "{name}: {sum} B (key context {context}, static {static}, stack {stack})",
    "{name}: message size, bytes {size}, cycles for each byte {cycles}",
    "{cycles} cycles",
    "{active} mA active, {asleep} µA asleep",
    "by events, {voltage} V, {static} W static, of which {one} W are one core's",
    "The figures as they are say {e0}. Of 100 draws {draws}",
    "{times} say",
    "in which modelled figures move within their bands",
    "in which modelled figures move within their bands and assumptions in their ranges",
    "in which modelled figures move within their bands and {count} assumptions in their ranges",
    "which stand below the findings",
    "{one} or {other}",
    "{count} implementation was eliminated",
    "{count} implementations were eliminated",
    "{title} offers no {bits}-bit key for this implementation",
    "{title} has no such operation in this implementation",
    "{vectors}: expected {expected}, got {got}",
    "{where} needs {bytes} B more {memory} than the {there} B there are",
    "{where} needs {bytes} B more {memory} than the {there} B there are (biggest: {symbols})",
    "a program that calls only {operation}",
    "a program with both",
    "the library fits alone, but beside the monitor it",
    "the firmware with the monitor has {bytes} B of static RAM, the context of {context} B among them, and the {left} B"
    " that are left of {there} B are too few for the stack, which reached static RAM in {function}",
    "leaks: branch at {where}",
    "branch at {where}",
    "branch at {where} in {function}",
    "{count} address",
    "{count} addresses",
    "{count} branch equally long both ways",
    "{count} branches equally long both ways",
    "Of {implementations}, {count} leaks: {names}.",
    "Of {implementations}, {count} leak: {names}.",
    "{times} times",
    "{count} years",
    "{count} million years",
    "{count} hours",
    "about {figure}",
    "{count} other is within the error band",
    "{count} others are within the error band",
    "{title} (from source)",
    "Best {algorithm} on {target}",
    "{hash} with {signature}",
    "less is better",
    "it needs {bytes} B more RAM than the {there} B there are: {static} B of static RAM, a context of {context} B and"
    " {stack} B of stack",
    "{operations} at {levels} under {compiler}",
    "encryption, Pi over PC {figure}",
    "decryption, Pi over PC {figure}",
    "other is",
    "at higher clocks",
    "then {name}",
    "from source",
    "leaks: branch at {where} in {function}",
    "random message of {bytes} B with {associated} B associated",
    "a signature that is not reduced modulo n",
    "{bytes} B of code and tables",
    "{count} processors",
    "{sizes} bits over {size}",
    "modelled ±x %",
    "server ({where})",
    "client ({where})",
    "share, %",
    "Its Arduino is awake {part} % of the time, and a packet leaves its serial port at most {time} ms after its end on"
    " the air",
    "more is better",
    "{algorithm} fastest",
    "{count} thousand cycles",
    "{cycles} cycles {e0}",
    "and {count} more",
    "library makes a fresh IV",
    "the study's libraries",
    "all libraries that are right here",
    "the study's own library, compiled as by the Arduino IDE (-Os)",
    "Tatu, which has assembly",
    "Select a row for its provenance: compiler, flags, versions, hashes, samples. ~ before cycles: inputs took"
    " different times.",
    "{algorithm} itself: flash, encrypt only",
    "{algorithm} itself: flash, decrypt only",
    "{algorithm} itself: flash, both directions",
    "Best known: {what}",
    "Embeds",
    "{compiler}, linked by {linker}",
    "builds the engine simavr",
    "fastest",
    "smallest flash",
    "least ram",
    "least energy",
    "Figures",
    "{count} library",
    "{count} libraries",
    "{count} implementations",
    "{count} cases",
    "{operation}, {bits}-bit key",
    "{name}, {bits}-bit key and {other}, {more}-bit key",
    "{bits} bit, {size}",
    "energy, µJ",
    "exact: {core}",
    "modelled: {core}",
    "{name} sender on {core}",
    "{name} receiver on {core}",
    "{name} sender {bytes} B ({heap} B of heap)",
    "{name} receiver {bytes} B ({heap} B of heap)",
    *(f"{{day}} {month} {{year}}" for month in _MONTHS),
)

_WORDS = re.compile(r"[A-Za-z]{2}[\w'’,;:()-]* +[A-Za-z({\d]")
_CODE = re.compile(
    r"^[-./<#\\%]|[<>=]=|\\|SELECT |INSERT |UPDATE |DELETE |CREATE |WHERE |PRAGMA |^\W*$|</|^\{\w+\}$"
    r"|^[a-z]+ [a-z.]+=|class=\"|const |use strict|prefers-color|, select|licence = "
)
# Sentences in these places that nobody reads on a screen: a page that a program writes, names of threads, styles.
_NOT_SAID = re.compile(
    r"heartbeat of .*|exclusively lock|configure port|avrdude done|USB .*|bancada: .*|bold red|DejaVu Sans|hidden"
    r"|the result of .* left the store meanwhile|Waits until a scheduler .*"
    r"|background: \{0\}|bancada link simulate .*|.*text.csv.*|Isto é um exemplo",
    re.DOTALL,
)
_NOT_SPEAKING = ("toml_reference.py",)


def _template(node: ast.AST, names: dict[str, str] | None = None) -> str | None:
    """The text of a string, with a named placeholder for each expression in it."""
    names = {} if names is None else names
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
            elif isinstance(part, ast.FormattedValue):
                parts.append("{" + _unique(ast.unparse(part.value), names) + "}")
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _template(node.left, names), _template(node.right, names)
        return None if left is None or right is None else left + right
    return None


def _unique(expression: str, names: dict[str, str]) -> str:
    """The placeholder of an expression: two expressions of one message have two."""
    if expression not in names:
        name = _name(expression)
        names[expression] = name if name not in names.values() else f"{name}_{len(names)}"
    return names[expression]


def _name(expression: str) -> str:
    return re.sub(r"\W+", "_", expression).strip("_")[:24].strip("_") or "it"


def _docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                found.add(id(first.value))
    return found


def _outer(tree: ast.AST) -> Iterator[ast.AST]:
    """Every string that is not a part of another one, nor a docstring."""
    docstrings = _docstrings(tree)
    inner: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and _template(node) is not None:
            inner |= {id(part) for part in ast.walk(node)} - {id(node)}
            nested = [part for part in ast.walk(node) if isinstance(part, ast.FormattedValue)]
            for part in nested:
                yield from _outer(part.value)
            if id(node) not in docstrings:
                yield node


def _is_said(text: str) -> bool:
    return bool(_WORDS.search(text)) and not _CODE.search(text) and not _NOT_SAID.fullmatch(text.strip())


def _kept(text: str) -> bool:
    """Whether there is something to translate beside placeholders."""
    return re.search(r"[A-Za-zµ]{2}", re.sub(r"\{\w*(!r)?\}", "", text)) is not None


def of_errors() -> list[str]:
    """What errors say."""
    found = []
    for folder in ("bancada", "link/simulation"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).split(".")[-1] in _ERRORS:
                    text = _template(node.args[0])
                    if text is not None and _kept(text):
                        found.append(text)
    return found


def of_commands() -> list[str]:
    """What commands print, and their help."""
    found = [*_said_in(_SPEAKING), *_purposes()]
    _help_of(cli, click.Context(cli), found)
    return found


def _purposes() -> list[str]:
    """What the tools of engines are for, which `bancada doctor` says."""
    found = []
    for path in sorted((ROOT / "bancada" / "engines").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Tool":
                found.append(_template(node.args[1]) or "")
    return [text for text in found if _kept(text)]


def of_report() -> list[str]:
    """What the report says of itself."""
    folder = ROOT / "bancada" / "answers" / "report"
    page = (folder / "report.html.j2").read_text(encoding="utf-8")
    page = re.sub(r"\{#.*?#\}", "", page, flags=re.DOTALL)
    page = re.sub(r"\{%.*?%\}", "<hr>", page, flags=re.DOTALL)
    page = re.sub(r"\{\{(.*?)\}\}", lambda found: "{" + _name(found[1]) + "}", page, flags=re.DOTALL)
    script = (folder / "report.js").read_text(encoding="utf-8")
    strings = [text for text in script_strings(script) if _is_said(text) or re.match(r"[A-Z][a-z]+", text)]
    said = (text.strip() for text in sentences(page) if _kept(text))
    return [
        *(text for text in said if not _NOT_SAID.fullmatch(text) and not _CODE.search(text)),
        *strings,
        *_said_in(_REPORT),
        *_said_in(tuple(f"experiments/{name}/*.py" for name in _EXPERIMENTS)),
        *_column_heads(),
    ]


def of_experiments() -> list[str]:
    """The prose of every experiment."""
    found: list[str] = []
    for name in _EXPERIMENTS:
        folder = ROOT / "experiments" / name
        for file, keys in (("experiment.toml", _OF_EXPERIMENT), ("findings.toml", _OF_FINDING)):
            if (folder / file).is_file():
                found += _prose(tomllib.loads((folder / file).read_text(encoding="utf-8")), keys)
        found += _sources(folder / "published.csv")
        if (folder / "sources.toml").is_file():
            found += _prose(tomllib.loads((folder / "sources.toml").read_text(encoding="utf-8")), _OF_SOURCE)
    return [re.sub(r"\{(\w+):[^{}]*\}", r"{\1}", text) for text in found]


def _sources(path: Path) -> list[str]:
    """What each row says of the implementation whose figure it has."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row["source"] for row in csv.DictReader(file) if row.get("source")]


def of_devices() -> list[str]:
    """What targets and cores are called and what is said about them."""
    files = (path for pattern in _DEVICES for path in sorted(ROOT.glob(pattern)))
    return [text for path in files for text in _prose(tomllib.loads(path.read_text(encoding="utf-8")), _OF_DEVICE)]


def _column_heads() -> list[str]:
    """What stands above the columns of an experiment's tables: often one word, which `_is_said` does not take."""
    found = []
    for name in _EXPERIMENTS:
        for path in sorted((ROOT / "experiments" / name).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.keyword) and node.arg == "columns" and isinstance(node.value, ast.Tuple):
                    found += [text for one in node.value.elts if (text := _template(one)) is not None]
    return found


def _prose(value: object, keys: tuple[str, ...], is_wanted: bool = False) -> list[str]:
    if isinstance(value, str):
        return [value] if is_wanted else []
    if isinstance(value, list):
        return [text for one in value for text in _prose(one, keys, is_wanted)]
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in _prose(one, keys, key in keys)]
    return []


def _said_in(patterns: tuple[str, ...]) -> list[str]:
    found = []
    for pattern in patterns:
        for path in sorted(path for path in ROOT.glob(pattern) if path.name not in _NOT_SPEAKING):
            for node in _outer(ast.parse(path.read_text(encoding="utf-8"))):
                text = _template(node)
                if text is not None and _is_said(text) and _kept(text):
                    found.append(text)
    return found


def _help_of(command: click.Command, context: click.Context, found: list[str]) -> None:
    found += [text for text in (command.help, command.short_help) if text]
    found += [text for one in command.params if (text := getattr(one, "help", None))]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                _help_of(inner, context, found)


def of_click() -> list[str]:
    """What the library of the command line says itself (click's own gettext messages that a user of ours can meet)."""
    return [
        "Usage:",
        "Options",
        "Positional arguments",
        "Commands",
        "default: {default}",
        "required",
        "Show this message and exit.",
        "Missing command.",
        "Missing argument",
        "Missing option",
        "Missing parameter",
        "No such option {name!r}.",
        "No such command {name!r}.",
        "Did you mean {possibility}?",
        "(Did you mean one of: {possibilities}?)",
        "Got unexpected extra argument ({args})",
        "Got unexpected extra arguments ({args})",
        "Option {name!r} requires an argument.",
        "Option {name!r} does not take a value.",
        "Invalid value: {message}",
        "Invalid value for {param_hint}: {message}",
        "{value!r} is not one of {choices}.",
        "{value!r} is not a valid {number_type}.",
        "{value} is not in the range {range}.",
        "{name} {filename!r} does not exist.",
        "{name} {filename!r} is a file.",
        "{name} {filename!r} is a directory.",
        "{name} {filename!r} is not readable.",
        "file",
        "directory",
        "path",
    ]


def of_words() -> list[str]:
    """Words that stand for a placeholder of other messages, and sentences of several pieces."""
    return [*_WORDS_ALONE, *_COMPOSED]


def messages() -> list[str]:
    """All of them, each once, on one line each."""
    # Names of operations are what options take: they stay.
    every = [
        *of_errors(),
        *of_click(),
        *of_words(),
        *of_commands(),
        *of_report(),
        *of_experiments(),
        *of_devices(),
    ]
    found = dict.fromkeys(re.sub(r"\s+", " ", text.strip()) for text in every)
    return [text for text in found if _kept(text) and text not in ("encrypt", "decrypt")]


def main() -> int:
    """The command line."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    known = read_po(CATALOGUE.read_text(encoding="utf-8")) if CATALOGUE.is_file() else {}
    made = Catalog(locale="pt_BR", fuzzy=False)
    for text in messages():
        made.add(text, known.get(text, ""))
    body = BytesIO()
    write_po(body, made, width=110, omit_header=True, ignore_obsolete=True)
    CATALOGUE.write_text(_HEADER + body.getvalue().decode(), encoding="utf-8")
    missing = [text for text in messages() if not known.get(text)]
    print(f"{len(messages())} messages, {len(missing)} without a text")
    return 0


if __name__ == "__main__":
    sys.exit(main())
