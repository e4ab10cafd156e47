"""Experiments expand to cases, and nothing is dropped silently."""

from __future__ import annotations

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.case import Case
from bancada.plan.plan import plan

pytestmark = pytest.mark.quick


def test_every_combination_is_there_once() -> None:
    experiment = open_laboratory().experiments["sensor"]
    workloads = plan(open_laboratory(), experiment)
    names = [case.name for workload in workloads for case in workload.cases]
    assert len(names) == len(set(names))
    # 3 optimisation levels x 3 key sizes x (4 variants of AES, 3 of Speck) x 4 operations
    assert len(names) == 3 * 3 * 7 * 4


def test_quick_keeps_one_optimisation_level() -> None:
    workloads = plan(open_laboratory(), open_laboratory().experiments["sensor"], quick=True)
    assert {case.firmware.optimisation for workload in workloads for case in workload.cases} == {"-Os"}


def test_a_key_size_that_a_library_lacks_is_a_row_that_says_so() -> None:
    workloads = plan(
        open_laboratory(), open_laboratory().experiments["libraries"], only_candidates=("tinycrypt",), quick=True
    )
    reasons = {
        case.firmware.key_bits: (case.refusal and case.refusal.reason)
        for workload in workloads
        for case in workload.cases
    }
    assert reasons[128] is None
    assert "offers no 192-bit key" in (reasons[192] or "")
    assert "offers no 256-bit key" in (reasons[256] or "")


def test_messages_are_measured_at_every_size_with_and_without_associated_data() -> None:
    workloads = plan(open_laboratory(), open_laboratory().experiments["aead"], only_candidates=("tatu",), quick=True)
    cases = [
        case
        for workload in workloads
        for case in workload.cases
        if case.firmware.implementation == "tatu/ascon-aead128"
    ]
    measured = {(case.operation, case.size_bytes, case.associated_bytes) for case in cases}
    sizes = {(size, more) for size in (0, 8, 16, 32, 64, 128, 512) for more in (0, 16)}
    assert measured == {(op, *size) for op in ("encrypt", "decrypt") for size in sizes} | {("set-key", 0, 0)}


def test_what_is_too_slow_for_more_is_measured_on_the_smallest_packet() -> None:
    experiment = open_laboratory().experiments["beaglebone"]
    cases = [
        case
        for workload in plan(open_laboratory(), experiment, only_candidates=("plain",))
        for case in workload.cases
        if case.operation == "encrypt"
    ]
    sizes = {
        variant: {case.size_bytes for case in cases if case.firmware.variant == variant}
        for variant in ("plain-no-tables", "plain-tables-anew", "plain-3des", "plain-sbox")
    }
    smallest = dict.fromkeys(("plain-no-tables", "plain-tables-anew", "plain-3des"), {131072})
    assert sizes == {**smallest, "plain-sbox": set(experiment.packet_sizes_bytes)}


def test_what_needs_linux_is_planned_for_linux_alone() -> None:
    """RELIC's headers include sys/mman.h. In a survey of every candidate it is not missing on a microcontroller."""
    laboratory = open_laboratory()

    def found(experiment: str, target: str, *candidates: str) -> list[Case]:
        workloads = plan(laboratory, laboratory.experiments[experiment], (target,), candidates)
        return [case for one in workloads for case in one.cases if case.firmware.candidate.name == "relic"]

    assert found("libraries", "uno") == []
    assert {case.refusal for case in found("channel", "rpi3")} == {None}
    asked = found("channel", "uno", "relic")
    assert {case.refusal.status for case in asked if case.refusal} == {Status.NOT_OFFERED}
    assert all(case.refusal and "uno does not run" in case.refusal.reason for case in asked)


def test_what_is_for_certain_cores_is_planned_for_them_alone() -> None:
    """Its assembly is for the Cortex-M4. In a survey of every candidate it is not missing on another core."""
    laboratory = open_laboratory()
    experiment = laboratory.experiments["key-exchange"]

    def found(target: str, *candidates: str) -> list[Case]:
        workloads = plan(laboratory, experiment, (target,), candidates)
        return [case for one in workloads for case in one.cases if case.firmware.candidate.name == "p256cortexm4"]

    assert {case.refusal for case in found("stm32f4")} == {None}
    for target, core in (("uno", "avr5"), ("stm32f1", "cortex-m3"), ("rpi3", "cortex-a53")):
        assert found(target) == []
        asked = found(target, "p256cortexm4")
        assert {(case.refusal.status, case.refusal.reason) for case in asked if case.refusal} == {
            (Status.NOT_OFFERED, f"P256-Cortex-M4 is written for cortex-m4; {target} has {core}")
        }
        assert len(asked) == len(found("stm32f4"))


def test_a_row_for_certain_cores_is_planned_for_them_alone() -> None:
    """mlkem-native's assembly is for AArch64; its C is for every core."""
    laboratory = open_laboratory()
    experiment = laboratory.experiments["post-quantum"]

    def found(target: str, *candidates: str) -> list[Case]:
        workloads = plan(laboratory, experiment, (target,), candidates)
        return [case for one in workloads for case in one.cases if case.firmware.candidate.name == "liboqs"]

    def of_aarch64(cases: list[Case]) -> list[Case]:
        return [case for case in cases if case.firmware.variant == "aarch64"]

    assert {case.refusal for case in of_aarch64(found("rpi3"))} == {None}
    assert found("bbb") and of_aarch64(found("bbb")) == []
    asked = of_aarch64(found("bbb", "liboqs"))
    assert {(case.refusal.status, case.refusal.reason) for case in asked if case.refusal} == {
        (Status.NOT_OFFERED, f"ml-kem-{bits}-aarch64 of liboqs is written for cortex-a53; bbb has cortex-a8")
        for bits in (512, 768)
    }
    assert len(asked) == len(of_aarch64(found("rpi3")))


def test_another_target_replaces_the_experiments() -> None:
    workloads = plan(open_laboratory(), open_laboratory().experiments["sensor"], only_targets=("mega2560",), quick=True)
    assert {case.target.core.name for workload in workloads for case in workload.cases} == {"avr6"}


def test_a_target_that_is_named_twice_is_measured_once() -> None:
    once, twice = (
        plan(open_laboratory(), open_laboratory().experiments["hashes"], names, ("tatu",), True)
        for names in (("uno",), ("uno", "uno"))
    )
    assert once == twice


def test_a_choice_that_leaves_nothing_is_an_error() -> None:
    with pytest.raises(UserError, match="nothing to run"):
        plan(open_laboratory(), open_laboratory().experiments["hashes"], only_candidates=("tinyaes",))
