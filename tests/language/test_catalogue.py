"""Brazilian Portuguese: no message is missing, placeholders agree, and what is said is whole."""

from __future__ import annotations

import re

import pytest

from bancada.language.catalogue import Catalogue, catalogue, read_po
from bancada.language.page import in_language, script_in_language
from bancada.language.spoken import language_of
from tests.language.messages import CATALOGUE, messages

pytestmark = pytest.mark.quick

_PLACEHOLDER = re.compile(r"\{\w+(?:!r)?\}")
_ANIMALS = Catalogue(
    "xx",
    {
        "There is no {kind} '{name}'; {hint}": "Não há {kind} '{name}'; {hint}",
        "known: {names}.": "conhecidos: {names}.",
        "target": "dispositivo",
        "{one} of {many}": "{one} de {many}",
        "Run `a b` first, then `c`.": "Primeiro `a b`, depois `c`.",
        "Best of": "Melhor de",
        "and {0} more": "e mais {0}",
        "Filter": "Filtrar",
    },
)


def test_no_message_is_missing_and_none_is_left_over() -> None:
    known = read_po(CATALOGUE.read_text(encoding="utf-8"))
    said = messages()
    assert [text for text in said if not known.get(text)] == []
    assert sorted(known.keys() - set(said)) == []


def test_placeholders_agree() -> None:
    known = read_po(CATALOGUE.read_text(encoding="utf-8"))
    wrong = [one for one, other in known.items() if set(_PLACEHOLDER.findall(one)) != set(_PLACEHOLDER.findall(other))]
    assert wrong == []


def test_code_in_a_message_is_the_same_code() -> None:
    known = read_po(CATALOGUE.read_text(encoding="utf-8"))
    code = re.compile(r"`[^`]+`|--[a-z][\w-]+|apt-get install [\w -]+")
    wrong = {
        one: sorted(set(code.findall(one)) ^ set(code.findall(other)))
        for one, other in known.items()
        if {part.strip() for part in code.findall(one)} != {part.strip() for part in code.findall(other)}
    }
    assert wrong == {}


def test_names_in_quotes_stay_and_words_are_translated() -> None:
    said = "There is no target 'target'; known: uno, bbb."
    assert _ANIMALS.gettext(said) == "Não há dispositivo 'target'; conhecidos: uno, bbb."


def test_names_that_a_sentence_lists_and_values_of_options_stay() -> None:
    """They are what a user has to write."""
    names = Catalogue(
        "xx",
        {
            "There is no {kind} '{name}'; {hint}": "Não há {kind} '{name}'; {hint}",
            "known: {names}.": "conhecidos: {names}.",
            "There is no store {path}; {hint}": "Não há o arquivo {path}; {hint}",
            "write it: bancada run --store {it}": "escreva-o: bancada run --store {it}",
            "column": "coluna",
            "case": "caso",
        },
    )
    assert (
        names.gettext("There is no column 'x'; known: case, column.") == "Não há coluna 'x'; conhecidos: case, column."
    )
    assert names.gettext("There is no column 'x'; known: of-a-case.") == "Não há coluna 'x'; conhecidos: of-a-case."
    said = "There is no store case; write it: bancada run --store case"
    assert names.gettext(said) == "Não há o arquivo case; escreva-o: bancada run --store case"


def test_a_sentence_that_has_only_a_short_form_stays_whole() -> None:
    assert _ANIMALS.gettext("3 of 11") == "3 de 11"
    assert _ANIMALS.gettext("the end of a story") == "the end of a story"


def test_spaces_around_a_message_stay() -> None:
    assert _ANIMALS.gettext("  Best of\n") == "  Melhor de\n"


def test_english_changes_nothing() -> None:
    assert catalogue("en").gettext("Best of") == "Best of"
    assert in_language("<p>Best of</p>", catalogue("en")) == "<p>Best of</p>"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_PT.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C.UTF-8", "LC_MESSAGES": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": ""}, "pt_BR"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LANGUAGE": "en"}, "en"),
    ],
)
def test_the_locale_chooses(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_a_page_keeps_its_markup_and_its_code() -> None:
    page = '<html lang="en"><p title="Filter">Run <code>a b</code> first,\n then <code>c</code>.</p><code>Filter</code>'
    assert in_language(page, _ANIMALS) == (
        '<html lang="pt-BR"><p title="Filtrar">Primeiro <code>a b</code>, depois <code>c</code>.</p><code>Filter</code>'
    )


def test_scripts_and_styles_of_a_page_stay() -> None:
    page = "<style>Filter</style><script>Filter</script>"
    assert in_language(page, _ANIMALS) == page


def test_what_a_page_escapes_stays_escaped() -> None:
    assert in_language("<p>Best of</p><b>a &lt; b &amp; c</b>", _ANIMALS) == "<p>Melhor de</p><b>a &lt; b &amp; c</b>"


def test_names_of_a_script_stay_and_quotation_marks_in_its_patterns_begin_nothing() -> None:
    script = 'a("target", said("target")); /[",\\r]/.test(b) // "\nc = `and ${d} more`;'
    told = 'a("target", said("dispositivo")); /[",\\r]/.test(b) // "\nc = `e mais ${d}`;'
    assert script_in_language(script, _ANIMALS) == told


def test_strings_of_a_script_are_translated_and_its_code_is_not() -> None:
    script = 'const a = "Filter"; Filter(`and ${list.length} more`, "other");'
    assert script_in_language(script, _ANIMALS) == 'const a = "Filtrar"; Filter(`e mais ${list.length}`, "other");'


def test_what_is_put_together_is_translated_by_its_pieces() -> None:
    """Lists, labels with a figure behind them, and texts beside an element of the page."""
    pieces = Catalogue(
        "xx",
        {
            "time": "tempo",
            "key, bits": "chave, bits",
            "holds in part": "vale em parte",
            "holds": "vale",
            "modelled": "modelado",
            "air rate": "taxa no ar",
            "gives": "dá",
            "against": "contra",
            "{one} and {other}": "{one} e {other}",
            "{title} on {where}": "{title} em {where}",
            "{algorithm} {role} on {core}": "{role} {algorithm} em {core}",
        },
    )
    assert pieces.gettext("holds 10, holds in part 9 and holds 1") == "vale 10, vale em parte 9 e vale 1"
    assert pieces.gettext("AES: key, bits 128, time 1.5") == "AES: chave, bits 128, tempo 1.5"
    assert pieces.gettext("Time against key, bits") == "Tempo contra chave, bits"
    assert pieces.gettext("modelled ±1.8 % and modelled ±22 %") == "modelado ±1.8 % e modelado ±22 %"
    assert pieces.gettext("air rate = 1200 bit/s gives holds") == "taxa no ar = 1200 bit/s dá vale"
    assert pieces.gettext("{e0} holds {e1}") == "{e0} vale {e1}"
    assert pieces.gettext("time on uno") == "tempo em uno"
    assert pieces.gettext("a sentence, which nobody translated") == "a sentence, which nobody translated"


def test_the_narrow_space_of_a_figure_stays() -> None:
    assert _ANIMALS.gettext("Best of\n 1\u202f024") == "Melhor de 1\u202f024"
