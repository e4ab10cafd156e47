"""Figures that are derived: differences of images, time, energy; and published figures beside ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bancada.answers.published import filled, published_figures, rows_of
from bancada.catalogue.paths import data_root
from bancada.measure.derive import derive
from bancada.measure.laboratory import open_laboratory
from bancada.measure.metrics.energy import energy, energy_band_percent, energy_uj
from bancada.measure.read_metrics import read_metrics
from bancada.measure.run import net
from bancada.measure.samples import Run
from bancada.model.build import Build, Conformance, Image
from bancada.model.errors import UserError
from bancada.model.event_names import event_names
from bancada.model.result import Result
from bancada.model.run import Region
from bancada.model.status import Status
from bancada.plan.case import Case
from bancada.plan.plan import plan

pytestmark = pytest.mark.quick

METRICS = read_metrics()
CYCLES = [1000, 1010, 1600]


def _case(operation: str) -> Case:
    workloads = plan(open_laboratory(), open_laboratory().experiments["sensor"], quick=True)
    cases = [case for workload in workloads for case in workload.cases]
    return next(case for case in cases if case.firmware.implementation == "tatu/aes128" and case.operation == operation)


def _result(operation: str, status: Status = Status.OK, reason: str | None = None) -> Result:
    case = _case(operation)
    images = {
        "none": Image("x.elf", 450, 60),
        "none-decrypt": Image("x.elf", 460, 260),
        "encrypt": Image("x.elf", 1450, 316),
        "decrypt": Image("x.elf", 2460, 772),
        "both": Image("x.elf", 3450, 900),
    }
    build = Build(Status.OK, None, "x.elf", "ab" * 32, "avr-gcc 5.4", "-Os", images=images)
    run = Run({case: tuple(Region(c, c + 9, 40, 700) for c in CYCLES)}, {operation: 176}, 3200, "engine")
    return derive(case, build, Conformance(7, 7, None, None), run, status, reason, METRICS)


def test_figures_of_an_operation() -> None:
    result = _result("encrypt")
    assert (result.cycles_min, result.cycles_median, result.cycles_max) == (1000, 1010, 1600)
    assert result.time_us == pytest.approx(1010 / 16)
    assert result.flash_bytes == 1000
    assert result.flash_both_bytes == 3000
    assert result.ram_static_bytes == 256
    assert (result.ram_context_bytes, result.stack_bytes) == (176, 40)
    assert result.initialisation_us == pytest.approx(200)


def test_decryption_is_compared_with_its_own_baseline() -> None:
    result = _result("decrypt")
    assert (result.flash_bytes, result.ram_static_bytes) == (2000, 512)


def test_energy_is_voltage_times_current_times_time() -> None:
    assert energy_uj(1000.0, 5.0, 10.0) == pytest.approx(50.0)  # 50 mW for 1 ms


def test_an_eliminated_case_has_no_figures() -> None:
    result = _result("encrypt", Status.NOT_CONFORMANT, "a vector failed")
    assert result.reason == "a vector failed"
    figures = (result.cycles_median, result.time_us, result.flash_bytes, result.stack_bytes, result.energy_uj)
    assert figures == (None,) * 5


def test_a_published_figure_that_includes_the_key_schedule_is_beside_a_sum() -> None:
    experiment = open_laboratory().experiments["libraries"]
    figures = published_figures(experiment, [_result("set-key"), _result("encrypt")], METRICS)
    by_label = {figure.label: figure for figure in figures}
    included = by_label["fewest cycles of any library: encrypt one block, key schedule included"]
    assert (included.published, included.ours) == (4567, 2020)
    assert included.ratio == pytest.approx(2020 / 4567)
    assert by_label["fewest cycles of any library: decrypt one block, key schedule included"].ours is None


def test_a_figure_of_one_library_stands_beside_that_library_alone() -> None:
    """Only like is divided by like: the study's one call beside the same call."""
    experiment = open_laboratory().experiments["libraries"]
    label = "AESLib itself: encrypt one block in one call, key schedule included"

    def ours(**changes: Any) -> float | None:
        found = published_figures(experiment, [replace(_result("encrypt"), **changes)], METRICS)
        return {figure.label: figure for figure in found}[label].ours

    assert ours() is None
    assert ours(candidate="aeslib") is None
    assert ours(candidate="aeslib", variant="one-call", optimisation="-O3") is None, "the Arduino IDE compiles at -Os"
    assert ours(candidate="aeslib", variant="one-call", optimisation="-Os") == 1010


def test_another_device_than_the_studys_is_not_beside_its_figures() -> None:
    elsewhere = [replace(_result(operation), target="samd21") for operation in ("set-key", "encrypt")]
    assert all(
        figure.ours is None
        for figure in published_figures(open_laboratory().experiments["libraries"], elsewhere, METRICS)
    )


def test_every_published_row_of_the_sensor_study_that_is_a_block_cipher_stands_beside_ours() -> None:
    experiment = open_laboratory().experiments["sensor"]
    labels = [figure.label for figure in published_figures(experiment, [], METRICS)]
    assert len(labels) == 2 * 9, "once of the study's own library, once of any"
    assert "aes-192 plain, encrypt one block" in labels


def _named(case: Case, field: str) -> str:
    """What a result of the case says in that field."""
    firmware = case.firmware
    names = {"target": case.target.name, "candidate": firmware.candidate.name, "primitive": firmware.primitive.name}
    return names.get(field) or str(getattr(case if hasattr(case, field) else firmware, field))


@pytest.mark.parametrize("name", sorted(open_laboratory().experiments))
def test_published_figures_stand_beside_something_that_the_experiment_measures(name: str) -> None:
    """A name that matches no result would show as 'no figure' for ever."""
    experiment = open_laboratory().experiments[name]
    workloads = plan(open_laboratory(), experiment, from_git=True)
    cases = [case for workload in workloads for case in workload.cases]
    for beside in experiment.beside:
        rows = [row for row in rows_of(experiment) if all(row.get(key) == value for key, value in beside.row.items())]
        assert rows, beside.row
        for row in rows:
            wanted = {key: filled(value, row) for key, value in beside.ours.items()}
            for operation in (filled(operation, row) for operation in beside.operations):
                found = [
                    case
                    for case in cases
                    if case.operation == operation and all(_named(case, key) == value for key, value in wanted.items())
                ]
                assert found, (wanted, operation)


def test_energy_by_events_is_what_the_published_coefficients_come_to() -> None:
    """GemStone's A7 model by hand: 1 million cycles, 800 thousand instructions and 300 thousand accesses at 1000 MHz
    and 1.089 V."""
    target = open_laboratory().targets["xu3-little@1000MHz"]
    events = {
        "instructions": 800_000,
        "data-accesses": 300_000,
        "l1d-misses": 0,
        "l2-misses": 0,
    }  # those of the model, no others
    found = energy(target, (Region(1_000_000, None, 0, 800_000, events),), 1000.0)
    assert found is not None
    assert found.dynamic_uj is not None
    assert found.static_uj is not None
    joules = (1.70544107852e-10 * 1e6 + 1.24180846105e-10 * 8e5 + 2.7533035198e-10 * 3e5) / 4 * 1.089**2
    assert found.dynamic_uj == pytest.approx(joules * 1e6)
    assert found.static_uj == pytest.approx(75.79)  # 0.07579 W for 1 ms
    assert found.total_uj == found.dynamic_uj + found.static_uj
    assert found.static_of_one_core_uj == pytest.approx(75.79 / 4)
    assert "GemStone" in found.source


def test_the_band_of_energy_is_that_of_the_cycles_and_of_the_model() -> None:
    """(1 + a)(1 + b) - 1, with the 3.8 % of Walker et al. (IEEE TCAD, 2017) for the A7."""
    little, uno = open_laboratory().targets["xu3-little@1000MHz"], open_laboratory().targets["uno"]
    of_core = little.core.band_percent
    assert of_core is not None
    assert energy_band_percent(little, 1000) == pytest.approx(of_core + 3.8 + of_core * 3.8 / 100)
    assert energy_band_percent(uno, 1000) is None


def test_a_typical_mix_costs_what_gemstone_says_of_each_core() -> None:
    """At one instruction a cycle, about 0.094 nJ a cycle at 1 V^2 on an A7 and 0.305 on an A15, as device trees of
    Linux say (90 and 310)."""
    none = dict.fromkeys(event_names(("l1i", "l1d", "l2")), 0)
    typical = none | {
        "instructions": 1_000_000,
        "data-accesses": 300_000,
        "data-operations": 500_000,
        "fetches": 250_000,
    }
    for name, nanojoules in (("xu3-little@1000MHz", 0.094), ("xu3-big@1000MHz", 0.305)):
        target = open_laboratory().targets[name]
        assert target.event_power is not None
        assert target.event_power.voltage_v is not None
        found = energy(target, (Region(1_000_000, None, 0, 1_000_000, typical),), 1.0)
        assert found is not None
        assert found.dynamic_uj is not None
        assert found.dynamic_uj / target.event_power.voltage_v**2 / 1000 == pytest.approx(nanojoules, rel=0.15)


def test_an_event_that_nobody_counts_is_refused_where_the_target_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted as never, it would make energy smaller without a word."""
    folder = tmp_path / "targets" / "mistyped"
    folder.mkdir(parents=True)
    text = (data_root() / "targets" / "xu3-big" / "target.toml").read_text()
    mistyped = text.replace('name = "xu3-big"', 'name = "mistyped"').replace(
        '["l1d-store-misses"]', '["l1d-stores-missed"]'
    )
    assert mistyped.count("stores-missed") == 1
    (folder / "target.toml").write_text(mistyped)
    monkeypatch.setenv("BANCADA_PATH", str(tmp_path))
    with pytest.raises(
        UserError, match="names the event 'l1d-stores-missed', which no engine counts: there are .*l1d-store-misses"
    ):
        open_laboratory().target("mistyped")


def test_the_voltage_that_the_study_misprinted_can_be_chosen_and_says_so() -> None:
    """Dynamic energy grows with the square: (1.8900 / 1.0890)^2 is 3.01."""
    region = Region(1_000_000, None, 0, 800_000, dict.fromkeys(event_names(("l1i", "l1d", "l2")), 1000))
    right, printed = (
        energy(open_laboratory().targets[f"xu3-little@1000MHz{label}"], (region,), 1000.0) for label in ("", "-1.89V")
    )
    assert right is not None
    assert printed is not None
    assert right.dynamic_uj is not None
    assert printed.dynamic_uj is not None
    assert printed.dynamic_uj / right.dynamic_uj == pytest.approx(3.012, abs=0.001)
    assert printed.static_uj == right.static_uj
    assert "misprint" in printed.source
    assert "misprint" not in right.source


def test_of_a_region_without_a_call_an_empty_one_is_taken_away_with_its_events() -> None:
    empty = Region(30, 30, 0, 12, {"instructions": 12, "fetches": 5})
    whole = Region(100, 100, 8, 52, {"instructions": 52, "fetches": 25})
    assert net(whole, empty) == Region(70, 100, 8, 40, {"instructions": 40, "fetches": 20})
    with_call = replace(whole, cycles=90)
    assert net(with_call, empty) == with_call


def test_no_published_power_no_energy_unless_the_user_says_watts() -> None:
    region = Region(1000, None, 0, 900)
    laboratory = open_laboratory()
    assert energy(laboratory.target("bbb"), (region,), 1000.0) is None
    with_watts = laboratory.with_watts(2.0)
    found = energy(with_watts.target("bbb"), (region,), 1000.0)
    assert found is not None
    assert found.total_uj == pytest.approx(2000.0)
    assert "as the user said" in found.source
    published = with_watts.target("uno").power
    assert published is not None
    assert "data sheet" in published.source
    assert laboratory.with_watts(None) is laboratory
