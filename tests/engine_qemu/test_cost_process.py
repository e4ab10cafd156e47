"""Profiles costed in processes of their own: the same figures as here, whatever happens to a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest

from bancada import campaign, catalogue
from bancada.batch import Answer
from bancada.costing import UnknownInstruction, cost
from bancada.costing.profile import ENTRY, Block, Edge, Profile
from bancada.engines import cost_process, engine
from bancada.engines.cost_process import beside, cost_beside
from bancada.monitor import DeviceError

# subs r0, r0, #1; muls r1, r2, r1; bne to the first; bx lr.
_LOOP = Block(0x1000, bytes.fromhex("010050e2920111e0fcffff1a"), "arm")
_RETURN = Block(0x100C, bytes.fromhex("1eff2fe1"), "arm")
_PROFILE = Profile((_LOOP, _RETURN), (Edge(ENTRY, 0, 1), Edge(0, 0, 999), Edge(0, 1, 1)), 0)

# A block that is no instruction behind one that is.
_UNKNOWN = Profile((Block(0x2000, bytes.fromhex("1eff2fe1"), "arm"), Block(0x3000, bytes.fromhex("ffffffff"), "arm")), (Edge(ENTRY, 0, 1), Edge(0, 1, 1)), 0)

_CORES = ("cortex-a7", "cortex-a15", "cortex-a8")


def _table(core: str):  # type: ignore[no-untyped-def]
    table = catalogue.cores()[core].table
    assert table is not None
    return table


@pytest.mark.parametrize("core", _CORES)
def test_a_process_costs_to_the_bit_what_is_costed_here(core: str) -> None:
    with beside(True):
        assert cost_beside(core, _PROFILE, _table(core)) == cost(_PROFILE, _table(core))


def test_each_thread_has_a_process_and_each_process_every_core() -> None:
    here = {core: cost(_PROFILE, _table(core)) for core in _CORES}
    meet = threading.Barrier(3, timeout=60)

    def work(turn: int) -> bool:
        meet.wait()
        return all(cost_beside(core, _PROFILE, _table(core)) == here[core] for core in _CORES[turn:] + _CORES[:turn])

    with beside(True), ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [True] * 3
        processes = cost_process._processes
        assert processes is not None and len(processes._all) == 3
    assert all(one._process.returncode is not None for one in processes._all), "none outlives the campaign"
    assert cost_process._processes is None


def test_an_unknown_instruction_is_the_same_error() -> None:
    with pytest.raises(UnknownInstruction) as here:
        cost(_UNKNOWN, _table("cortex-a15"))
    with beside(True), pytest.raises(UnknownInstruction) as there:
        cost_beside("cortex-a15", _UNKNOWN, _table("cortex-a15"))
    assert str(here.value) == str(there.value)


def test_a_process_that_is_killed_costs_nobody_a_result() -> None:
    here = cost(_PROFILE, _table("cortex-a15"))
    with beside(True):
        assert cost_beside("cortex-a15", _PROFILE, _table("cortex-a15")) == here
        processes = cost_process._processes
        assert processes is not None
        for one in processes._all:
            one._process.kill()
            one._process.wait()
        assert cost_beside("cortex-a15", _PROFILE, _table("cortex-a15")) == here
        assert cost_beside("cortex-a15", _PROFILE, _table("cortex-a15")) == here
        assert len(processes._all) == 2, "the next profile has a new one"


def test_stopping_ends_the_processes_and_whoever_waits_for_one() -> None:
    """Ctrl-C: the same sentence as from whoever waited for an emulator."""
    begun = threading.Event()

    def work() -> None:
        while True:
            cost_beside("cortex-a15", _PROFILE, _table("cortex-a15"))
            begun.set()

    with beside(True), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(work)
        assert begun.wait(60)
        engine("qemu").stop_all()
        with pytest.raises(DeviceError, match="The campaign was stopped"):
            waiting.result(60)


@pytest.mark.parametrize(("jobs", "has_processes"), [(2, True), (1, False)])
def test_a_campaign_of_several_jobs_costs_in_processes(jobs: int, has_processes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def work(batch: object) -> Iterator[list[Answer]]:
        seen.append(cost_process._processes is not None)
        yield []

    class NoStore:
        def batch(self, workloads: object, full: bool) -> None: ...

        def write(self, answers: object) -> None: ...

    monkeypatch.setattr(campaign, "work", work)
    campaign.here(jobs)([(), ()], cast(campaign.Ledger, NoStore()), False)
    assert seen == [has_processes] * 2


def test_one_thread_alone_has_none() -> None:
    with beside(False):
        assert cost_process._processes is None
        assert cost_beside("cortex-a7", _PROFILE, _table("cortex-a7")) == cost(_PROFILE, _table("cortex-a7"))
