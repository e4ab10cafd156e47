"""The command line in Brazilian Portuguese: help, mistakes, tables, and what other programs read stays as it is."""

from __future__ import annotations

import json

import pytest

from tests.laboratory_fixtures import Bancada


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
