"""The Cortex-A tables against published cycles of silicon: the figures in their own files. All others, and the bands,
are long_silicon.py's."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from bancada.catalogue.paths import data_root
from bancada.commands.cli import cli
from bancada.costing.table import PublishedCycles
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.validate.programs import find_call
from bancada.validate.store import read_validations, store_validation
from bancada.validate.validate import increase, published_figures, validate
from bancada.validate.validation import Validation, summarise

VALIDATED = ("cortex-a7", "cortex-a8", "cortex-a15", "cortex-a53", "cortex-a53-arm")


# The others show an in-order core, an out-of-order one and AArch64; `make test-silicon` has all.
_MORE = ("cortex-a8", "cortex-a53-arm")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow) if name in _MORE else name for name in VALIDATED],
)
def outcomes(request: pytest.FixtureRequest) -> list[Validation]:
    core = open_laboratory().cores[request.param]
    return list(validate(core, core.published))


@pytest.mark.parametrize("core", VALIDATED)
def test_the_file_states_how_many_figures_there_are(core: str) -> None:
    known = open_laboratory().cores[core]
    rows = published_figures(known, from_git=True)
    for name in ("fit", "validation"):
        assert f"{name.capitalize()} set, {sum(row.set == name for row in rows)} figures: " in known.source


def test_programs_of_openssl_come_within_what_the_documentation_says(outcomes: list[Validation]) -> None:
    """docs/reference/cores-cortex-a.md, "What the band is made of": the mean error on whole primitives, both sets."""
    core = outcomes[0].core
    errors = [abs(outcome.error_percent) for outcome in outcomes if outcome.program.startswith("openssl")]
    documented = {"cortex-a7": 1.2, "cortex-a8": 5.0, "cortex-a15": 3.1, "cortex-a53": 2.5, "cortex-a53-arm": 6.9}
    assert mean(errors) == pytest.approx(documented[core], abs=0.06)


def test_what_is_predicted_is_an_error_of_the_published_figure(outcomes: list[Validation]) -> None:
    for outcome in outcomes:
        assert outcome.predicted / outcome.published == pytest.approx(1 + outcome.error_percent / 100)
        assert outcome.instructions > 300


@pytest.mark.parametrize("core", VALIDATED)
def test_no_figure_is_in_both_sets(core: str) -> None:
    rows = open_laboratory().cores[core].published
    sets = {name: {row.program for row in rows if row.set == name} for name in ("fit", "validation")}
    assert not sets["fit"] & sets["validation"]
    assert len(sets["fit"] | sets["validation"]) == len(rows)
    for row in rows:
        find_call(row.program)


@pytest.mark.parametrize("core", VALIDATED)
def test_every_number_of_a_table_has_its_source(core: str) -> None:
    """The models refuse a timing without 'source'; here that none is empty or a mere label."""
    table = tomllib.loads((data_root() / "cores" / f"{core}.toml").read_text())["table"]
    sources = [timing["source"] for timing in table["timing"].values()] + [table["branches"]["source"]]
    assert len(sources) > 55
    assert all(len(source) >= 7 for source in sources)


def test_a_published_figure_is_of_one_kind() -> None:
    common: dict[str, Any] = {"set": "fit", "program": "a/b", "bytes": 480, "device": "a core", "source": "a paper"}
    assert PublishedCycles(cycles_per_word=2.5, word_bytes=4, **common).expected_cycles == 300
    assert PublishedCycles(cycles_per_byte=2, **common).expected_cycles == 960
    assert PublishedCycles(cycles=77, **common).figure == 77
    wrongs: list[dict[str, Any]] = [{}, {"cycles": 1, "cycles_per_byte": 1}, {"cycles_per_word": 1}]
    for wrong in wrongs:
        with pytest.raises(ValidationError):
            PublishedCycles(**wrong, **common)


def test_a_figure_per_word_is_what_further_words_cost(outcomes: list[Validation]) -> None:
    """GMP's tune/README: "look at the time increase when the size increments". 100 words at 7 and 40 cycles of the
    call's own cost 740."""
    assert increase(740, 390) == 700
    rows = {row.program: row for row in open_laboratory().cores[outcomes[0].core].published}
    assert all(rows[outcome.program].is_increase == outcome.program.startswith("gmp-") for outcome in outcomes)
    # Loops of a whole number of cycles: nothing of what comes before and after them is left in the figure.
    whole = {
        "cortex-a7": "addmul-1",
        "cortex-a8": "addmul-1",
        "cortex-a15": "mul-1",
        "cortex-a53": "add-n",
        "cortex-a53-arm": "mod-34lsub1",
    }
    [found] = [outcome for outcome in outcomes if outcome.program.endswith(f"/{whole[outcome.core]}")]
    assert found.predicted == pytest.approx(found.published, rel=1e-3)


def _outcome(core: str, name: str, error_percent: float) -> Validation:
    return Validation(
        core,
        name,
        "a/b",
        "a core",
        "cycles/byte",
        10,
        10 + error_percent / 10,
        error_percent,
        5,
        "a paper",
        "",
        1000,
        "1",
        "0",
    )


def test_outcomes_are_kept_and_replaced_core_by_core(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.sqlite"
    assert read_validations(path) == []
    store_validation(path, "one", [_outcome("one", "fit", 1), _outcome("one", "validation", -3)])
    store_validation(path, "two", [_outcome("two", "fit", 2)])
    store_validation(path, "one", [_outcome("one", "fit", 4)])
    assert read_validations(path) == [_outcome("one", "fit", 4), _outcome("two", "fit", 2)]
    assert read_validations(path, "two") == [_outcome("two", "fit", 2)]


def test_a_store_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    path.write_text("no database at all, but long enough to be taken for one by nobody " * 20)
    with pytest.raises(UserError, match="could not be stored"):
        store_validation(path, "one", [_outcome("one", "fit", 1)])
    with pytest.raises(UserError, match="cannot be opened: file is not a database; move the file away"):
        read_validations(path)


def test_a_summary_has_mean_and_largest_without_signs() -> None:
    [fit, validation] = summarise(
        [_outcome("one", "fit", 2), _outcome("one", "validation", -3), _outcome("one", "fit", -6)]
    )
    assert (fit.figures, fit.mean_percent, fit.largest_percent) == (2, 4, 6)
    assert (validation.set, validation.largest_percent) == ("validation", 3)


def test_the_command_prints_and_stores(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    done = CliRunner().invoke(cli, ["validate", "cortex-m3", "--store", str(path)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "cifra/curve25519-m3" in done.output
    assert "validation set" in done.output
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT COUNT(*) FROM validation").fetchone() == (1,)


@pytest.mark.parametrize(
    ("name", "sentence"), [("cortex-a9", "There is no core 'cortex-a9'"), ("avr5", "has no cost table")]
)
def test_a_core_that_cannot_be_validated_is_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        CliRunner().invoke(cli, ["validate", name], catch_exceptions=False)
