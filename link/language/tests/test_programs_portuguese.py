"""The link's programs in Brazilian Portuguese: no sentence of their sources is missing from the catalogue, none of the
catalogue is said by nobody, and the programs speak the language that the option or the locale asks for."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sensorlink.binaries import GATEWAY, SERVER, binary

LINK = Path(__file__).resolve().parents[2]
CATALOGUE = LINK / "language" / "pt_BR.po"

_ENTRY = re.compile(r'^msgid ((?:"[^\n]*"\n)+)msgstr ((?:"[^\n]*"\n?)+)', re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\w+\}")
# Of Rust's format!: {}, {0}, {name}, {name:?}, {:.1}.
_HOLE = re.compile(r"\{[\w.]*(:[^{}]*)?\}")
_TOKEN = re.compile(
    r'(?://[^\n]*)|r(?P<marks>#*)"(?P<raw>.*?)"(?P=marks)|b?"(?P<text>(?:[^"\\]|\\.)*)"'
    r"|'(?:[^'\\]|\\[^']+)'",
    re.DOTALL,
)
_CONTINUED = re.compile(r"\\\n\s*")
_PROSE = re.compile(r"[A-Za-z]{2}[\w'’,;:()}-]* +[A-Za-z({\d'\[]")
# What has this form is read by another program: statements for a database, headers, lines of a file of settings.
_FOR_PROGRAMS = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|DROP|WHERE|VALUES|INTEGER|BIGINT|PARTITION|PRIMARY|ROWID"
    r"|LIMIT|ORDER|SAVEPOINT|LOCAL|DEFAULT|CASE|BEGIN|AND|LOCK)\b|charset=|filename=|Max-Age=|^default-src|^event: |^# "
    r"|^TO \(|^<\?xml|^message readings|^reading,|^\{name\} \{value\}$|^ ?\{stored\}  |^ ?\{serial\} \{"
)
# Names that sensors, messages, keys and authorities go by; states in JSON; and a form that "{where}: {why}" has.
_NAMES = re.compile(
    r"silent gateway \{\}|webhook \{place\}|webhook \{host\} \{\}|mail \{address\}|bancada link( v1| master)?"
    r"|\{name\} authority|Sensor \{id\}"
    r"|Parquet has columns|the schema has a column more|Rain, total|Rain rate|Last seen|LoRa rain sensor"
    r"|connection lost|\{what\}: \{\} \{\}"
)
_PROGRAMS = ("gateway", "language", "server", "wire")
# What the page, its alarms and Home Assistant show is in the page's catalogue; why a frame was refused is a name, by
# which `audit --reason`, the metrics and the page know it.
_NOT_OF_PROGRAMS = ("burst.rs", "conditions.rs", "cap.rs", "deliver.rs")
# What HTTP answers to a browser or a program; only what these say to the log is said by the program.
_HTTP = (
    "page/auth.rs",
    "page/host.rs",
    "page/live.rs",
    "page/metrics.rs",
    "page/mod.rs",
    "page/notes.rs",
    "page/people.rs",
    "page/pool.rs",
    "page/readings.rs",
)
_IN_HTTP = re.compile(r"--|page|metrics at|The (page|metrics|server) cannot|TLS")
# Said, and found by no rule of these: a word alone, or one that is put together.
_WORDS = (
    "error|warning|info|running|connected|stopped|confirmed {}|refused {}|it is not in site.toml any more"
    "|it answers {}|Example: {}"
).split("|")


def entries(po: Path) -> dict[str, str]:
    """Message and text of each entry."""
    found = entries_of(po.read_text(encoding="utf-8"))
    found.pop("")
    return found


def entries_of(po: str) -> dict[str, str]:
    """Message and text of each entry of a part of a catalogue."""

    def whole(lines: str) -> str:
        return "".join(json.loads(line) for line in lines.splitlines())

    return {whole(message): whole(said) for message, said in _ENTRY.findall(po)}


def _sources() -> Iterator[tuple[str, str]]:
    """Path and text of each source file, without the tests at its end."""
    for program in _PROGRAMS:
        source = LINK / program / "src"
        for path in sorted(source.rglob("*.rs")):
            if not path.stem.endswith("_tests"):
                text = path.read_text(encoding="utf-8").split("#[cfg(test)]\nmod tests {")[0]
                yield path.relative_to(source).as_posix(), text


def _literals(name: str, text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(text):
        literal = found["text"] if found["text"] is not None else found["raw"]
        if literal is None or name in _NOT_OF_PROGRAMS:
            continue
        said = _CONTINUED.sub("", literal).replace('\\"', '"').removeprefix("bancada: ")
        is_shown = name not in _HTTP or _IN_HTTP.match(said)
        if _PROSE.search(said) and not _FOR_PROGRAMS.search(said) and not _NAMES.fullmatch(said) and is_shown:
            yield said


def _helps(text: str) -> Iterator[str]:
    """The comments that clap makes the help of: those of arguments and of what they are fields of."""
    paragraphs: list[str] = [""]
    inside = derived = False
    for line in [one.strip() for one in text.splitlines()]:
        if line.startswith("///"):
            words = line[3:].strip()
            paragraphs = [*paragraphs[:-1], f"{paragraphs[-1]} {words}".strip()] if words else [*paragraphs, ""]
        elif line.startswith("#["):
            derived = derived or re.match(r"#\[derive\(.*\b(Parser|Args|Subcommand|ValueEnum)\b", line) is not None
        else:
            opens = re.match(r"(?:pub )?(struct|enum) \w+", line) is not None
            if opens and derived:
                inside = True
            if inside and line:
                yield from (one.removesuffix(".") for one in paragraphs if one)
            inside = inside and line != "}"
            derived, paragraphs = False, [""]


def _shape(message: str) -> str:
    return _HOLE.sub("{}", message)


def said() -> list[str]:
    """Every sentence that the programs can say, `{}` for what is filled in, each once."""
    found: list[str] = [*_WORDS]
    for name, text in _sources():
        found += map(_shape, _literals(name, text))
        found += ("Example: {}" if one.startswith("Example: ") else one for one in _helps(text))
    return list(dict.fromkeys(found))


def test_every_message_has_a_text_with_the_same_placeholders() -> None:
    wrong = {
        message: text
        for message, text in entries(CATALOGUE).items()
        if not text or set(_PLACEHOLDER.findall(message)) != set(_PLACEHOLDER.findall(text))
    }
    assert wrong == {}


def test_no_sentence_is_missing() -> None:
    known = {_shape(message) for message in entries(CATALOGUE)}
    assert [one for one in said() if one not in known] == []


def test_every_message_is_said() -> None:
    """Behind its first part, which is what libraries and the system say."""
    [_, ours] = CATALOGUE.read_text(encoding="utf-8").split("# The command line of both programs.\n")
    spoken = set(said())
    assert [message for message in entries_of(ours) if _shape(message) not in spoken] == []


def _ran(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    locale = {"LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8"}
    return subprocess.run(
        [binary(program), *arguments],
        env={**os.environ, **locale, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


# What stays as it is: names of options, commands and their values.
_SAME = re.compile(r"(--?[\w-]+,? ?|<[A-Z_]+>|\[[A-Z]+\]\.*| )+|[a-z]+|\[[a-z]+: [\w./:-]+\]")


def _parts(text: str) -> list[str]:
    """What is translated as one: a line, or what is behind two spaces in it."""
    return [part.strip() for line in text.splitlines() for part in line.split("  ") if part.strip()]


def test_help_of_every_command_is_in_portuguese() -> None:
    commands = re.findall(r"^  ([a-z]+) ", _ran(SERVER, "--help").stdout, re.MULTILINE)
    assert len(commands) >= 16
    helps = [(GATEWAY, "--help"), (SERVER, "--help"), *((SERVER, command, "--help") for command in commands[:-1])]
    for program, *arguments in helps:
        english = _parts(_ran(program, *arguments).stdout)
        portuguese = _parts(_ran(program, *arguments, LC_ALL="pt_BR.UTF-8").stdout)
        assert len(english) == len(portuguese)
        same = [
            one for one, other in zip(english, portuguese, strict=True) if one == other and not _SAME.fullmatch(one)
        ]
        assert same == []


def test_the_option_is_stronger_than_the_locale_wherever_it_stands() -> None:
    assert "Uso: bancada link serve" in _ran(SERVER, "serve", "--help", "--lang", "pt-BR").stdout
    assert "Uso: bancada link serve" in _ran(SERVER, "--lang=pt-BR", "serve", "--help").stdout
    assert "Usage: bancada link serve" in _ran(SERVER, "--lang", "en", "serve", "--help", LANG="pt_BR.UTF-8").stdout
    assert "Uso: bancada-link-gateway" in _ran(GATEWAY, "--lang", "pt-BR", "--help").stdout


@pytest.mark.parametrize(
    ("program", "arguments", "told"),
    [
        (SERVER, ("serve", "--nope"), "erro: argumento inesperado '--nope'"),
        (
            SERVER,
            ("provision", "--device", "0"),
            "erro: valor inválido '0' para '--device <DEVICES>': 0 não está em 1..",
        ),
        (SERVER, ("rotate",), "erro: faltam estes argumentos obrigatórios:\n  <DEVICE>\n\nUso: "),
        (SERVER, ("--lang", "fr", "audit"), "erro: valor inválido 'fr' para '--lang <LANG>': en ou pt-BR"),
        (
            SERVER,
            ("serve", "--site", "/nowhere"),
            "bancada: Não há local em /nowhere; crie um com: bancada link provision",
        ),
        (
            GATEWAY,
            ("--config", "/nowhere.toml"),
            "Z erro: não é possível ler a configuração /nowhere.toml: esse arquivo",
        ),
    ],
)
def test_mistakes(program: str, arguments: tuple[str, ...], told: str) -> None:
    done = _ran(program, *arguments, LC_ALL="pt_BR.UTF-8")
    assert done.returncode == 2
    assert told in done.stderr
