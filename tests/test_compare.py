"""What changed between two sets of results, and what counts as a regression."""

from __future__ import annotations

from io import StringIO

import pytest
from example_results import result, withheld
from rich.console import Console

from bancada.compare import Comparison, compare, render_comparison
from bancada.records import Fidelity, Status

MODELLED = {"fidelity": Fidelity.MODELLED, "fidelity_band_percent": 5.0}


def shown(comparison: Comparison) -> str:
    console = Console(file=StringIO(), width=220)
    console.print(render_comparison(comparison))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_nothing_changed() -> None:
    comparison = compare([result()], [result()])
    assert not comparison.regressed and comparison.changes == ()
    assert (comparison.compared, comparison.unchanged) == (1, 1)


def test_one_cycle_more_on_an_exact_engine_is_a_regression() -> None:
    comparison = compare([result(2000)], [result(2001)], tolerance_percent=10.0)
    assert comparison.regressed
    (change,) = comparison.slower
    assert (change.before, change.after) == (2000, 2001) and change.percent == pytest.approx(0.05)
    assert comparison.faster == ()


def test_one_cycle_less_is_faster() -> None:
    comparison = compare([result(2000)], [result(1999)])
    assert not comparison.regressed and len(comparison.faster) == 1 and comparison.slower == ()


@pytest.mark.parametrize("fidelity", [Fidelity.MODELLED, Fidelity.MEASURED])
def test_a_figure_that_is_not_exact_may_vary_within_the_tolerance(fidelity: Fidelity) -> None:
    before = result(1000, fidelity=fidelity)
    within = compare([before], [result(1020, fidelity=fidelity)], tolerance_percent=2.0)
    beyond = compare([before], [result(1021, fidelity=fidelity)], tolerance_percent=2.0)
    assert not within.regressed and within.slower[0].tolerated
    assert beyond.regressed and not beyond.slower[0].tolerated


def test_without_tolerance_any_increase_of_a_modelled_figure_is_a_regression() -> None:
    assert compare([result(1000, **MODELLED)], [result(1001, **MODELLED)]).regressed


def test_an_exact_figure_beside_a_modelled_one_is_judged_as_modelled() -> None:
    assert not compare([result(1000)], [result(1020, **MODELLED)], tolerance_percent=2.0).regressed


@pytest.mark.parametrize("field", ["flash_bytes", "flash_both_bytes", "ram_static_bytes", "ram_context_bytes"])
def test_sizes_are_counted_by_the_linker_and_never_tolerated(field: str) -> None:
    comparison = compare([result(**{field: 100, **MODELLED})], [result(**{field: 101, **MODELLED})], tolerance_percent=50.0)
    assert comparison.regressed and comparison.larger[0].figure.field == field


def test_deeper_stack_is_larger_and_less_flash_is_smaller() -> None:
    comparison = compare([result()], [result(stack_bytes=25, flash_bytes=999)])
    assert [change.figure.field for change in comparison.larger] == ["stack_bytes"]
    assert [change.figure.field for change in comparison.smaller] == ["flash_bytes"]
    assert comparison.regressed


def test_slower_on_the_worst_input_only_is_still_slower() -> None:
    comparison = compare([result(2000)], [result(1990, cycles_max=2100)])
    assert comparison.regressed
    assert [change.figure.field for change in comparison.slower] == ["cycles_max"]
    assert [change.figure.field for change in comparison.faster] == ["cycles_median"]


def test_what_follows_from_the_median_is_not_listed_again() -> None:
    comparison = compare([result(2000, energy_uj=5.0)], [result(2100, energy_uj=5.25)])
    assert [change.figure.field for change in comparison.changes] == ["cycles_median"]


def test_more_energy_for_the_same_cycles_is_listed() -> None:
    comparison = compare([result(2000, energy_uj=5.0)], [result(2000, energy_uj=5.5)])
    assert comparison.regressed and len(comparison.more_energy) == 1
    assert len(compare([result(energy_uj=5.0)], [result(energy_uj=4.0)]).less_energy) == 1


def test_rounding_of_floating_point_is_no_change() -> None:
    assert compare([result(energy_uj=0.1 + 0.2)], [result(energy_uj=0.3)]).unchanged == 1


def test_a_figure_that_one_side_lacks_is_not_compared() -> None:
    assert compare([result(stack_bytes=None)], [result(stack_bytes=9)]).changes == ()


def test_a_case_that_stops_working_is_a_regression_and_one_that_starts_is_not() -> None:
    broken = withheld(Status.NOT_CONFORMANT, "vector 3 of GFSbox")
    lost = compare([result()], [broken])
    assert lost.regressed and lost.status_changes[0].reason == "vector 3 of GFSbox" and lost.status_changes[0].worse
    won = compare([broken], [result()])
    assert not won.regressed and not won.status_changes[0].worse
    other = compare([broken], [withheld(Status.FAILED, "no answer")])
    assert not other.regressed and len(other.status_changes) == 1


def test_cases_of_one_side_only_are_listed_and_judge_nothing() -> None:
    new = result(9999, implementation="tatu/new")
    old = result(1, implementation="tatu/old")
    comparison = compare([result(), old], [result(), new])
    assert comparison.appeared == (new.case,) and comparison.vanished == (old.case,)
    assert not comparison.regressed and comparison.compared == 1


def test_a_simulator_is_not_compared_with_a_board() -> None:
    comparison = compare([result(2000)], [result(2100, engine="board", fidelity=Fidelity.MEASURED)])
    assert comparison.compared == 0 and "no case is in both" in shown(comparison)


def test_the_newest_result_of_a_case_counts() -> None:
    old, new = result(2000, date="2026-01-01"), result(1000, date="2026-02-01")
    assert compare([new, old], [result(1000)]).unchanged == 1


def test_the_largest_change_comes_first() -> None:
    before = [result(1000), result(1000, operation="decrypt")]
    after = [result(1001), result(1500, operation="decrypt")]
    assert [change.after for change in compare(before, after).slower] == [1500, 1001]


def test_from_zero_is_no_percentage() -> None:
    comparison = compare([result(ram_static_bytes=0)], [result(ram_static_bytes=256)])
    assert comparison.larger[0].percent is None and "from nothing" in shown(comparison)


def test_on_the_console() -> None:
    before = [result(2000), result(operation="decrypt"), result(1000, operation="set-key", **MODELLED)]
    after = [
        result(2100, flash_bytes=900),
        withheld(Status.FAILED, "[red]not markup[/red]", operation="decrypt"),
        result(1010, operation="set-key", **MODELLED),
    ]
    text = shown(compare(before, after, tolerance_percent=2.0))
    for part in ("Slower", "+5.00 %", "Smaller", "-10.00 %", "(tolerated)", "[red]not markup[/red]", "Regression: 3 cases"):
        assert part in text
    assert "No regression: 1 case in both, 1 unchanged." in shown(compare([result()], [result()]))
