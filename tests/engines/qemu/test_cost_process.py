"""Profiles costed in processes of their own: the same figures as here, whatever happens to a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest

from bancada.campaign import campaign
from bancada.catalogue.core import Core
from bancada.costing.cost import Cost, cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.engines.qemu.cost_process import Coster
from bancada.engines.qemu.engine import Qemu
from bancada.measure.batch import Answer
from bancada.measure.laboratory import open_laboratory
from bancada.monitor.monitor import DeviceError
from bancada.plan.case import Workload
from bancada.plan.plan import plan

# subs r0, r0, #1; muls r1, r2, r1; bne to the first; bx lr.
_LOOP = Block(0x1000, bytes.fromhex("010050e2920111e0fcffff1a"), "arm")
_RETURN = Block(0x100C, bytes.fromhex("1eff2fe1"), "arm")
_PROFILE = Profile((_LOOP, _RETURN), (Edge(ENTRY, 0, 1), Edge(0, 0, 999), Edge(0, 1, 1)), 0)

# Bytes that are not an instruction, after a block that is one.
_UNKNOWN = Profile(
    (Block(0x2000, bytes.fromhex("1eff2fe1"), "arm"), Block(0x3000, bytes.fromhex("ffffffff"), "arm")),
    (Edge(ENTRY, 0, 1), Edge(0, 1, 1)),
    0,
)

_CORES = ("cortex-a7", "cortex-a15", "cortex-a8")


def _core(name: str) -> Core:
    return open_laboratory().core(name)


def _here(core: Core) -> Cost:
    assert core.table is not None
    return cost(_PROFILE, core.table)


class _Forgetful(Coster):
    """Costs every profile afresh: an equal one would be known."""

    def cost(self, core: Core, profile: Profile) -> Cost:
        return self._cost(core, profile)


@pytest.mark.parametrize("core", _CORES)
def test_a_process_costs_to_the_bit_what_is_costed_here(core: str) -> None:
    coster, known = _Forgetful(), _core(core)
    with coster.beside(True):
        assert coster.cost(known, _PROFILE) == _here(known)


def test_each_thread_has_a_process_and_each_process_every_core() -> None:
    cores = [_core(name) for name in _CORES]
    here = {core.name: _here(core) for core in cores}
    coster = _Forgetful()
    meet = threading.Barrier(3, timeout=60)

    def work(turn: int) -> bool:
        meet.wait()
        return all(coster.cost(core, _PROFILE) == here[core.name] for core in cores[turn:] + cores[:turn])

    with coster.beside(True), ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [True] * 3
        processes = coster._processes
        assert processes is not None
        assert len(processes._all) == 3
    assert all(one._process.returncode is not None for one in processes._all), "none outlives the campaign"
    assert coster._processes is None


def test_an_unknown_instruction_is_the_same_error() -> None:
    coster, core = _Forgetful(), _core("cortex-a15")
    assert core.table is not None
    with pytest.raises(UnknownInstruction) as here:
        cost(_UNKNOWN, core.table)
    with coster.beside(True), pytest.raises(UnknownInstruction) as there:
        coster.cost(core, _UNKNOWN)
    assert str(here.value) == str(there.value)


def test_a_process_that_is_killed_loses_no_result() -> None:
    coster, core = _Forgetful(), _core("cortex-a15")
    here = _here(core)
    with coster.beside(True):
        assert coster.cost(core, _PROFILE) == here
        processes = coster._processes
        assert processes is not None
        for one in processes._all:
            one._process.kill()
            one._process.wait()
        assert coster.cost(core, _PROFILE) == here
        assert coster.cost(core, _PROFILE) == here
        assert len(processes._all) == 2, "the next profile has a new one"


def test_stopping_ends_the_processes_and_every_wait_for_one() -> None:
    """Ctrl-C: the same sentence as of a wait for an emulator."""
    engine, core = Qemu(), _core("cortex-a15")
    coster = engine._coster = _Forgetful()
    begun = threading.Event()

    def work() -> None:
        while True:
            coster.cost(core, _PROFILE)
            begun.set()

    with coster.beside(True), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(work)
        assert begun.wait(60)
        engine.stop_all()
        with pytest.raises(DeviceError, match="The campaign was stopped"):
            waiting.result(60)


@pytest.mark.parametrize(("jobs", "has_processes"), [(2, True), (1, False)])
def test_a_campaign_of_several_jobs_costs_in_processes(
    jobs: int, has_processes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    firmware = next(
        workload.firmware
        for workload in plan(
            open_laboratory(), open_laboratory().experiment("hashes"), ("samd21",), ("tatu",), quick=True
        )
        if workload.firmware is not None
    )
    engine = firmware.target.engine
    assert isinstance(engine, Qemu)

    def work(batch: object) -> Iterator[list[Answer]]:
        seen.append(engine._coster._processes is not None)
        yield []

    class NoStore:
        def batch(self, workloads: object, full: bool) -> None: ...

        def write(self, answers: object) -> None: ...

    monkeypatch.setattr(campaign, "work", work)
    batches: list[tuple[Workload, ...]] = [(Workload(firmware, ()),), (Workload(firmware, ()),)]
    campaign.here(jobs)(batches, cast(campaign.Ledger, NoStore()), False)
    assert seen == [has_processes] * 2


def test_one_thread_alone_has_none() -> None:
    coster, core = _Forgetful(), _core("cortex-a7")
    with coster.beside(False):
        assert coster._processes is None
        assert coster.cost(core, _PROFILE) == _here(core)


def test_equal_profiles_of_a_core_are_costed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    coster, core = Coster(), _core("cortex-a7")
    first = coster.cost(core, _PROFILE)
    monkeypatch.setattr("bancada.engines.qemu.cost_process.cost", None)  # a second costing fails
    assert coster.cost(_core("cortex-a7"), _PROFILE) == first
