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
from io import BytesIO
from pathlib import Path

import click

from bancada.commands.command_line import cli
from bancada.language.catalogue import read_po
from bancada.language.page import script_strings, sentences
from tests.language.put_together import of_click, of_words
from tests.language.python_strings import name_of, outermost_strings, template

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
    "unknown_name",  # its first argument says what there is none of
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
                    text = template(node.args[0])
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
                found.append(template(node.args[1]) or "")
    return [text for text in found if _kept(text)]


def of_report() -> list[str]:
    """What the report says of itself."""
    folder = ROOT / "bancada" / "answers" / "report"
    page = (folder / "report.html.j2").read_text(encoding="utf-8")
    page = re.sub(r"\{#.*?#\}", "", page, flags=re.DOTALL)
    page = re.sub(r"\{%.*?%\}", "<hr>", page, flags=re.DOTALL)
    page = re.sub(r"\{\{(.*?)\}\}", lambda found: "{" + name_of(found[1]) + "}", page, flags=re.DOTALL)
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
                    found += [text for one in node.value.elts if (text := template(one)) is not None]
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
            for node in outermost_strings(ast.parse(path.read_text(encoding="utf-8"))):
                text = template(node)
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
