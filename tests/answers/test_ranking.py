"""Who is best at what. The expected answers are worked out by hand from the few results of each test."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from bancada.answers.best import at_best_level, best
from bancada.answers.ranking import (
    display_name,
    fidelity_text,
    headline,
    number,
    render_headline,
    study_table,
)
from bancada.measure.read_metrics import read_metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick

METRICS = read_metrics()


def other(cycles: int, **changes: object) -> Result:
    """Another library's result."""
    return result(cycles, **({"candidate": "other", "implementation": "other/aes128"} | changes))


def test_ram_is_static_context_and_stack() -> None:
    assert result(ram_static_bytes=3, ram_context_bytes=50, stack_bytes=700).ram_bytes == 753


@pytest.mark.parametrize("part", ["ram_static_bytes", "ram_context_bytes", "stack_bytes"])
def test_ram_with_an_unknown_part_is_unknown(part: str) -> None:
    assert result(**{part: None}).ram_bytes is None


def test_each_implementation_is_ranked_at_the_level_that_is_best_for_the_metric() -> None:
    small = other(3000, optimisation="-Os", flash_bytes=500)
    fast = other(1500, optimisation="-O3", flash_bytes=900)
    assert at_best_level([small, fast], METRICS["cycles"]) == [fast]
    assert at_best_level([small, fast], METRICS["flash"]) == [small]


def test_levels_that_come_out_the_same_are_represented_by_os() -> None:
    levels = [result(optimisation=level) for level in ("-O2", "-O3", "-Os")]
    assert [found.optimisation for found in at_best_level(levels, METRICS["cycles"])] == ["-Os"]


def test_two_versions_of_a_library_are_ranked_apart() -> None:
    assert len(at_best_level([result(2000), result(1900, candidate_version="0.2.0")], METRICS["cycles"])) == 2


@pytest.mark.parametrize("status", [status for status in Status if status != Status.OK])
def test_only_ok_results_are_ranked(status: Status) -> None:
    wrong = result(1, status=status, reason="wrong", candidate="wrong", implementation="wrong/aes128")
    found = best([wrong, result(2000)], METRICS["cycles"])
    assert found is not None
    assert found.winners[0].candidate == "tatu"
    assert len(found.ranked) == 1


def test_nobody_is_best_where_nobody_has_a_figure() -> None:
    assert best([withheld(Status.FAILED, "no answer")], METRICS["cycles"]) is None
    assert best([result(energy_uj=None)], METRICS["energy"]) is None


def test_a_tie_names_all_winners_and_the_runner_up_is_behind_them() -> None:
    third = result(2001, candidate="third", implementation="third/aes128")
    found = best([third, other(2000), result(2000)], METRICS["cycles"])
    assert found is not None
    assert found.tie
    assert [winner.candidate for winner in found.winners] == ["other", "tatu"]
    assert found.runner_up == third


def test_exact_figures_one_cycle_apart_are_no_tie() -> None:
    found = best([other(2001), result(2000)], METRICS["cycles"])
    assert found is not None
    assert not found.tie
    assert not found.inseparable


def test_modelled_figures_within_the_band_are_said_to_be_inseparable() -> None:
    modelled = {"fidelity": Fidelity.MODELLED, "fidelity_band_percent": 5.0}
    winner = result(1000, **modelled)
    near = other(1100, **modelled)  # 1000 + 5 % = 1050, 1100 - 5 % = 1045: the bands meet
    far = result(1110, candidate="far", implementation="far/aes128", **modelled)  # 1110 - 5 % = 1054.5: they do not
    found = best([far, near, winner], METRICS["cycles"])
    assert found is not None
    assert found.winners == (winner,)
    assert found.inseparable == (near,)


def test_flash_is_exact_even_where_time_is_modelled() -> None:
    modelled: dict[str, Any] = {"fidelity": Fidelity.MODELLED, "fidelity_band_percent": 50.0}
    found = best([result(flash_bytes=1000, **modelled), other(1, flash_bytes=1001, **modelled)], METRICS["flash"])
    assert found is not None
    assert found.inseparable == ()


def test_headline_answers_by_operation_key_and_size_in_the_order_in_which_people_ask() -> None:
    results = [
        result(50, operation="set-key"),
        result(2900, operation="decrypt"),
        result(2600, key_bits=192),
        result(2000, flash_bytes=1000),
        other(2400, flash_bytes=700, stack_bytes=500),
        other(1000, size_bytes=8, algorithm="speck64"),
        other(1, target="elsewhere"),
    ]
    rows = headline(results, "uno", METRICS)
    assert [(row.operation, row.key_bits, row.size_bytes) for row in rows] == [
        ("encrypt", 128, 8),
        ("encrypt", 128, 16),
        ("encrypt", 192, 16),
        ("decrypt", 128, 16),
        ("set-key", 128, 16),
    ]
    answers = {name: found.winners[0].candidate for name, found in rows[1].best.items()}
    assert answers == {"cycles": "tatu", "flash": "other", "ram": "tatu"}


def test_headline_of_one_algorithm_leaves_the_others_out() -> None:
    speck = result(100, algorithm="speck128", implementation="tatu/speck128-128")
    assert headline([result(2000), speck], "uno", METRICS)[0].best["cycles"].value == 100
    assert headline([result(2000), speck], "uno", METRICS, "aes")[0].best["cycles"].value == 2000


def test_primitives_are_never_ranked_against_each_other() -> None:
    aead = result(1, primitive="aead", algorithm="ascon-aead128", implementation="tatu/ascon-aead128")
    assert [row.best["cycles"].value for row in headline([result(2000), aead], "uno", METRICS)] == [1, 2000]


def test_messages_with_associated_data_are_another_question() -> None:
    rows = headline([result(2000), result(3000, associated_bytes=16)], "uno", METRICS)
    assert [(row.associated_bytes, row.best["cycles"].value) for row in rows] == [(0, 2000), (16, 3000)]


def test_study_table_has_sending_and_receiving_and_the_best_of_all_keys() -> None:
    results = [
        result(2000, energy_uj=6.0, flash_bytes=900),
        result(2500, key_bits=256, energy_uj=7.0, flash_bytes=900, implementation="tatu/aes256"),
        result(3000, operation="decrypt", energy_uj=None),
        result(10, operation="set-key"),
        result(10, operation="set-decrypt-key"),
    ]
    sending, receiving = study_table(results, METRICS)
    assert (sending.direction, receiving.direction) == ("sending", "receiving")
    assert sending.best["energy"].winners[0].key_bits == 128
    assert {winner.key_bits for winner in sending.best["flash"].winners} == {128, 256}
    assert "energy" not in receiving.best
    assert receiving.best["time"].value == 3000 / 16


def test_names_leave_out_what_is_not_there() -> None:
    assert display_name(result()) == "tatu aes-128"
    assert display_name(result(variant="small")) == "tatu aes-128 small"
    assert display_name(result(algorithm="sha-256", key_bits=0)) == "tatu sha-256"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (16, "16"),
        (2330, "2\u202f330"),
        (1234567, "1\u202f234\u202f567"),
        (1234.5, "1\u202f234"),
        (145.625, "145.6"),
        (12.34, "12.3"),
        (3.75, "3.75"),
        (4.5, "4.50"),
        (0.0975, "0.0975"),
        (12.0, "12"),
    ],
)
def test_numbers_for_people(value: float, text: str) -> None:
    assert number(value) == text


def test_fidelity_comes_with_its_band() -> None:
    assert fidelity_text(result()) == "exact"
    assert fidelity_text(result(fidelity=Fidelity.MODELLED, fidelity_band_percent=6.6)) == "modelled ±6.6 %"
    assert fidelity_text(result(fidelity=Fidelity.MEASURED)) == "measured"


def test_headline_on_the_console_says_who_how_much_and_ties() -> None:
    console = Console(file=StringIO(), width=200)
    console.print(render_headline(headline([result(2000), other(2000, flash_bytes=10)], "uno", METRICS), METRICS))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "other aes-128: 2\u202f000 cycles (tie with 1 more)" in text
    assert "other aes-128: 10 B" in text
    assert "Cycles: exact." in text


def test_headline_on_the_console_has_the_band_of_modelled_cycles() -> None:
    console = Console(file=StringIO(), width=200)
    modelled = result(fidelity=Fidelity.MODELLED, fidelity_band_percent=22.0)
    console.print(render_headline(headline([modelled], "uno", METRICS), METRICS))
    assert "Cycles: modelled ±22 %." in console.file.getvalue()  # type: ignore[attr-defined]


def test_headline_of_nothing_is_said() -> None:
    console = Console(file=StringIO(), width=80)
    console.print(render_headline([], METRICS))
    assert "no result is ok" in console.file.getvalue()  # type: ignore[attr-defined]
