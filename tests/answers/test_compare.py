"""What changed between two sets of results, and what counts as a regression."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from bancada.answers.compare import Comparison, comparison_as_dict, render_comparison
from bancada.answers.compare import compare as compare_by
from bancada.measure.read_metrics import read_metrics
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from tests.example_results import result, withheld

pytestmark = pytest.mark.quick

MODELLED: dict[str, Any] = {"fidelity": Fidelity.MODELLED, "fidelity_band_percent": 5.0}


METRICS = read_metrics()


def compare(before: list[Result], after: list[Result], tolerance_percent: float = 0.0) -> Comparison:
    return compare_by(before, after, METRICS, tolerance_percent)


def shown(comparison: Comparison) -> str:
    console = Console(file=StringIO(), width=220)
    console.print(render_comparison(comparison))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_nothing_changed() -> None:
    comparison = compare([result()], [result()])
    assert not comparison.regressed
    assert comparison.changes == ()
    assert (comparison.compared, comparison.unchanged) == (1, 1)


def test_one_cycle_more_on_an_exact_engine_is_a_regression() -> None:
    comparison = compare([result(2000)], [result(2001)], tolerance_percent=10.0)
    assert comparison.regressed
    (change,) = comparison.called("slower")
    assert (change.before, change.after) == (2000, 2001)
    assert change.percent == pytest.approx(0.05)
    assert comparison.called("faster") == ()


def test_one_cycle_less_is_faster() -> None:
    comparison = compare([result(2000)], [result(1999)])
    assert not comparison.regressed
    assert len(comparison.called("faster")) == 1
    assert comparison.called("slower") == ()


@pytest.mark.parametrize("fidelity", [Fidelity.MODELLED, Fidelity.MEASURED])
def test_a_figure_that_is_not_exact_may_vary_within_the_tolerance(fidelity: Fidelity) -> None:
    before = result(1000, fidelity=fidelity)
    within = compare([before], [result(1020, fidelity=fidelity)], tolerance_percent=2.0)
    beyond = compare([before], [result(1021, fidelity=fidelity)], tolerance_percent=2.0)
    assert not within.regressed
    assert within.called("slower")[0].tolerated
    assert beyond.regressed
    assert not beyond.called("slower")[0].tolerated


def test_without_tolerance_any_increase_of_a_modelled_figure_is_a_regression() -> None:
    assert compare([result(1000, **MODELLED)], [result(1001, **MODELLED)]).regressed


def test_an_exact_figure_beside_a_modelled_one_is_judged_as_modelled() -> None:
    assert not compare([result(1000)], [result(1020, **MODELLED)], tolerance_percent=2.0).regressed


@pytest.mark.parametrize("field", ["flash_bytes", "flash_both_bytes", "ram_static_bytes", "ram_context_bytes"])
def test_sizes_are_counted_by_the_linker_and_never_tolerated(field: str) -> None:
    smaller: dict[str, Any] = {field: 100}
    larger: dict[str, Any] = {field: 101}
    before, after = result(**smaller, **MODELLED), result(**larger, **MODELLED)
    comparison = compare([before], [after], tolerance_percent=50.0)
    assert comparison.regressed
    assert comparison.called("larger")[0].figure.field == field


def test_deeper_stack_is_larger_and_less_flash_is_smaller() -> None:
    comparison = compare([result()], [result(stack_bytes=25, flash_bytes=999)])
    assert [change.figure.field for change in comparison.called("larger")] == ["stack_bytes"]
    assert [change.figure.field for change in comparison.called("smaller")] == ["flash_bytes"]
    assert comparison.regressed


def test_slower_on_the_worst_input_only_is_still_slower() -> None:
    comparison = compare([result(2000)], [result(1990, cycles_max=2100)])
    assert comparison.regressed
    assert [change.figure.field for change in comparison.called("slower")] == ["cycles_max"]
    assert [change.figure.field for change in comparison.called("faster")] == ["cycles_median"]


def test_what_follows_from_the_median_is_not_listed_again() -> None:
    comparison = compare([result(2000, energy_uj=5.0)], [result(2100, energy_uj=5.25)])
    assert [change.figure.field for change in comparison.changes] == ["cycles_median"]


def test_more_energy_for_the_same_cycles_is_listed() -> None:
    comparison = compare([result(2000, energy_uj=5.0)], [result(2000, energy_uj=5.5)])
    assert comparison.regressed
    assert len(comparison.called("more energy")) == 1
    assert len(compare([result(energy_uj=5.0)], [result(energy_uj=4.0)]).called("less energy")) == 1


def test_rounding_of_floating_point_is_no_change() -> None:
    assert compare([result(energy_uj=0.1 + 0.2)], [result(energy_uj=0.3)]).unchanged == 1


def test_a_figure_that_one_side_lacks_is_not_compared() -> None:
    assert compare([result(stack_bytes=None)], [result(stack_bytes=9)]).changes == ()


def test_a_case_that_stops_working_is_a_regression_and_one_that_starts_is_not() -> None:
    broken = withheld(Status.NOT_CONFORMANT, "vector 3 of GFSbox")
    lost = compare([result()], [broken])
    assert lost.regressed
    assert lost.status_changes[0].reason == "vector 3 of GFSbox"
    assert lost.status_changes[0].worse
    won = compare([broken], [result()])
    assert not won.regressed
    assert not won.status_changes[0].worse
    other = compare([broken], [withheld(Status.FAILED, "no answer")])
    assert not other.regressed
    assert len(other.status_changes) == 1


def test_cases_of_one_side_only_are_listed_and_judge_nothing() -> None:
    new = result(9999, implementation="tatu/new")
    old = result(1, implementation="tatu/old")
    comparison = compare([result(), old], [result(), new])
    assert comparison.appeared == (new.case,)
    assert comparison.vanished == (old.case,)
    assert not comparison.regressed
    assert comparison.compared == 1
    assert "Incomplete: 1 case in both, 1 unchanged, 1 vanished, 1 appeared." in shown(comparison)
    assert comparison.incomplete and not comparison.regressed


def test_a_simulator_is_not_compared_with_a_board() -> None:
    comparison = compare([result(2000)], [result(2100, engine="board", fidelity=Fidelity.MEASURED)])
    assert comparison.compared == 0
    assert "no case is in both" in shown(comparison)


def test_the_newest_result_of_a_case_counts() -> None:
    old, new = result(2000, date="2026-01-01"), result(1000, date="2026-02-01")
    assert compare([new, old], [result(1000)]).unchanged == 1


def test_the_largest_change_comes_first() -> None:
    before = [result(1000), result(1000, operation="decrypt")]
    after = [result(1001), result(1500, operation="decrypt")]
    assert [change.after for change in compare(before, after).called("slower")] == [1500, 1001]


def test_from_zero_is_no_percentage() -> None:
    comparison = compare([result(ram_static_bytes=0)], [result(ram_static_bytes=256)])
    assert comparison.called("larger")[0].percent is None
    assert "from nothing" in shown(comparison)


def test_each_change_says_how_its_figures_were_obtained() -> None:
    """Cycles of a model have its band. The bytes of the same case are counted."""
    exact, modelled = result(2000), result(1000, operation="set-key", **MODELLED)
    after = [result(2100, **MODELLED), result(1100, operation="set-key", flash_bytes=900, **MODELLED)]
    comparison = compare([exact, modelled], after)
    found = {(one.figure.field, one.after): one.fidelity for one in comparison.changes}
    assert found["cycles_median", 1100] == "modelled ±5 %"
    assert found["flash_bytes", 900] == "exact"
    assert found["cycles_median", 2100] == "exact before, modelled ±5 % after"
    told = comparison_as_dict(comparison)
    assert {one["fidelity"] for one in told["changes"]} == set(found.values())
    assert not told["incomplete"]
    assert comparison_as_dict(compare([exact, modelled], [exact]))["incomplete"]
    assert "modelled ±5 %" in shown(comparison)


def test_on_the_console() -> None:
    before = [result(2000), result(operation="decrypt"), result(1000, operation="set-key", **MODELLED)]
    after = [
        result(2100, flash_bytes=900),
        withheld(Status.FAILED, "[red]not markup[/red]", operation="decrypt"),
        result(1010, operation="set-key", **MODELLED),
    ]
    text = shown(compare(before, after, tolerance_percent=2.0))
    for part in (
        "Slower",
        "+5.00 %",
        "Smaller",
        "-10.00 %",
        "(tolerated)",
        "[red]not markup[/red]",
        "Regression: 3 cases",
    ):
        assert part in text
    assert "No regression: 1 case in both, 1 unchanged." in shown(compare([result()], [result()]))
