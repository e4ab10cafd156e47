"""The command line in Brazilian Portuguese: help, mistakes, tables, and what other programs read stays as it is."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from bancada.answers.pick import Question, pick, render_pick
from bancada.commands.language import speaking
from bancada.measure.read_metrics import read_metrics
from bancada.model.status import Status
from bancada.store.store import Store
from tests.example_results import result, withheld
from tests.laboratory_fixtures import Bancada
from tests.language.english_left import english_in


def test_the_option_chooses_the_language_of_the_help(bancada: Bancada) -> None:
    done = bancada("--lang", "pt-BR", "run", "--help", LANG="C.UTF-8")
    assert "Uso: " in done.stdout
    assert "Executar experimentos e guardar os resultados" in done.stdout
    assert "Exemplo: bancada run EXPERIMENT --quick" in done.stdout
    assert "Mostrar esta mensagem e sair." in done.stdout
    assert "Show this" not in done.stdout and "May be repeated" not in done.stdout


def test_the_locale_chooses_and_the_option_overrides_it(bancada: Bancada) -> None:
    assert "Opções:" in bancada("--help", LC_ALL="pt_BR.UTF-8").stdout
    assert "Options:" in bancada("--lang", "en", "--help", LC_ALL="pt_BR.UTF-8").stdout
    assert "Options:" in bancada("--help", LANG="C.UTF-8", LC_ALL="").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "nothing"), "Não há experimento 'nothing'; conhecidos: aead,"),
        (("run", "aead", "--target", "unx"), "Não há dispositivo 'unx'; você quis dizer 'uno'?"),
        (
            ("export", "--nope"),
            "Não há a opção '--nope'. Você quis dizer '--store'? Tente: python -m bancada export --help",
        ),
        (("pick",), "Falta a opção"),
        (("report",), "Ainda não há resultados: execute antes um experimento"),
        (("check",), "Falta o argumento"),
    ],
)
def test_mistakes(bancada: Bancada, arguments: tuple[str, ...], said: str) -> None:
    done = bancada(*arguments, LC_ALL="pt_BR.UTF-8")
    assert done.returncode == 2
    assert said in done.stderr


def test_tables_have_their_titles_in_portuguese(bancada: Bancada) -> None:
    shown = bancada("list", "experiments", LC_ALL="pt_BR.UTF-8").stdout
    assert "experimento" in shown and "pergunta" in shown


def test_what_programs_read_is_the_same_in_every_language(bancada: Bancada) -> None:
    english = bancada("list", "candidates", "--json", LC_ALL="C.UTF-8").stdout
    portuguese = bancada("list", "candidates", "--json", LC_ALL="pt_BR.UTF-8").stdout
    assert json.loads(english) == json.loads(portuguese)
    assert english == portuguese


def test_what_is_missing_is_told_by_what_it_is_for(bancada: Bancada) -> None:
    """Whether the engine is built already changes what is needed, and not which compilers there are for whom."""
    findings = {finding["tool"]: finding for finding in json.loads(bancada("doctor", "--json").stdout)}
    assert findings["avr-gcc"]["purpose"] == "compiles firmware" and findings["avr-gcc"]["required"]
    assert findings["arm-none-eabi-gcc"]["purpose"] == "compiles firmware for ARM targets"
    assert not findings["cargo"]["required"]  # every test is run with the engine built


def shown(one: object) -> str:
    """What a console in Portuguese shows."""
    out = io.StringIO()
    speaking(Console, file=out, width=400).print(one)
    return out.getvalue()


@pytest.fixture
def in_portuguese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "pt_BR")


def test_an_answer_of_pick_is_translated_as_a_whole(in_portuguese: None) -> None:
    """The question, the tables, every reason and the remarks."""
    cases = [
        result(),
        result(implementation="other/aes128", flash_bytes=4000, stack_bytes=380),
        withheld(Status.NOT_CONFORMANT, "AESAVS: expected 00, got 01", implementation="wrong/aes128"),
        withheld(Status.NOT_OFFERED, "no such operation", implementation="less/aes128"),
        result(primitive="aead", algorithm="ascon"),
    ]
    question = Question(target="uno", limits={"flash": 2048, "ram": 300}, constant_time=True)
    said = shown(render_pick(pick(cases, question, read_metrics()), read_metrics()))
    assert english_in(said) == {}
    for part in ("chave de 128 bits", "Estas não cabem", "acima do limite de 300 B", "Da classe cifra de bloco"):
        assert part in said


@pytest.mark.parametrize(
    "command",
    [
        ("list", "metrics"),
        ("list", "experiments"),
        ("list", "formats"),
        ("list", "primitives"),
        ("export", "--format", "none", "--store", "store.sqlite"),
        ("export", "--what", "cases", "--columns", "zzz", "--experiment", "sensor", "--store", "store.sqlite"),
        ("store", "list", "--store", "store.sqlite"),
        ("store", "prune", "--target", "uno", "--store", "store.sqlite"),
        ("store", "prune", "--target", "uno", "--yes", "--store", "store.sqlite"),
        ("compare", "store.sqlite", "store.sqlite"),
        ("measure", "/none", "--target", "uno", "--function", "f"),
        ("entropy", "/none"),
    ],
)
def test_nothing_that_a_command_says_is_english(bancada: Bancada, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "elsewhere").mkdir()
    store = Store(tmp_path / "elsewhere" / "store.sqlite")
    store.put("sensor", 0, "key", result())
    store.close()
    done = bancada(*command, LC_ALL="pt_BR.UTF-8")
    assert english_in(done.stdout + done.stderr) == {}


def test_names_that_an_option_takes_stay(bancada: Bancada, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    store = Store(tmp_path / "elsewhere" / "store.sqlite")
    store.put("sensor", 0, "key", result())
    store.close()
    done = bancada("export", "--what", "published", "--store", "store.sqlite", LC_ALL="pt_BR.UTF-8")
    assert "bancada: --what 'published', --columns, " in done.stderr
    command = ("export", "--what", "published", "--experiment", "sensor", "--columns", "zzz", "--store", "store.sqlite")
    done = bancada(*command, LC_ALL="pt_BR.UTF-8")
    assert "Não há coluna 'zzz'; conhecidos: case, figure, " in done.stderr
