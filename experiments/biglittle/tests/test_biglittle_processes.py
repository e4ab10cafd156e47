"""Whole processes: what one does, what follows from its counts at each clock, and what is concluded."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Observation, Verdict
from bancada.model.status import Fidelity
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of
from experiments.biglittle import observe
from experiments.biglittle.costs import SIGNED
from experiments.biglittle.processes import System, costs_of_processes

LABORATORY = open_laboratory()
EXPERIMENT = LABORATORY.experiments["biglittle"]
STUDY = study_of(EXPERIMENT)
_CACHES = ("l1i", "l1d", "l2")


def _counted(
    kind: str, cluster: str, algorithm: str, role: str, how: str, cycles: float, misses: int = 0, **figures: int
) -> Observation:
    """Misses are of the level 2 cache, by loads and fetches."""
    events = {"instructions": 100_000, "data-accesses": 0, "data-operations": 0, "fetches": 0}
    for name in _CACHES:
        wanted = misses if name == "l2" else 0
        events |= {f"{name}-accesses": wanted, f"{name}-misses": wanted, f"{name}-store-misses": 0}
    parameters = {"cluster": cluster, "algorithm": algorithm, "role": role, "how": how}
    counted = {"core_cycles": cycles, "events": events, **figures}
    return Observation(
        kind, f"{algorithm} {role} {cluster} {how}", Fidelity.MODELLED, parameters, counted, "2026-11-23"
    )


def _both(
    cluster: str, algorithm: str, how: str, cycles: float, kind: str = "process", misses: int = 0
) -> list[Observation]:
    return [_counted(kind, cluster, algorithm, role, how, cycles, misses) for role in ("send", "receive")]


def _findings(observations: list[Observation], judged_for: str) -> dict[str, Finding]:
    found = findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, [], observations))
    return {one.claim: one for one in found if one.judged_for == judged_for}


def test_a_process_is_the_same_counts_at_every_clock() -> None:
    """By hand, A7 at 600 MHz, 0.944 V: 200,000 cycles and 100 misses of 110 ns, 66 cycles each, twice as long at once,
    and 1,000,000 of the kernel: 1,213,200 cycles, 2,022 µs. Energy of four, by gs-A7-4-pmcs.params: a cycle
    1.70544e-10 x 0.891136 J, an instruction 1.24181e-10, of which there are 100,000, scaled as the cycles by
    1,213,200 / 213,200; and 0.01655 W of the cluster.
    """
    observations = _both("little", "message-sha-256", observe.AT_ONCE, 200_000, misses=100)
    system = System({"little": 1e6, "big": 1e6}, 2.0, {"little": 1.0, "big": 1.0}, 1.0)
    costs = costs_of_processes(LABORATORY, observations, system, is_at_once=True)
    found = costs.get("little", 600, "message-sha-256")
    assert found is not None and found.energy_uj is not None
    assert found.sender_us == found.receiver_us == pytest.approx(2022.0)
    cycles_uj, instructions_uj = (
        times * coefficient * 0.944**2 * 1e6
        for times, coefficient in (
            (1_213_200, 1.70544107852e-10),
            (round(100_000 * 1_213_200 / 213_200), 1.24180846105e-10),
        )
    )
    assert found.energy_uj == pytest.approx(2 * (cycles_uj + instructions_uj + 0.01655 * 2022.0))
    assert costs.frequencies("little") == [200, 600, 1000, 1400]
    slow = costs.get("little", 200, "message-sha-256")
    assert slow is not None and slow.sender_us == pytest.approx((1_200_000 + 100 * 22 * 2) / 200)


@pytest.mark.parametrize(("big", "verdict"), [(190_000, Verdict.HOLDS_IN_PART), (20_000, Verdict.HOLDS_IN_PART)])
def test_hashes_are_judged_for_whole_processes_too(big: int, verdict: Verdict) -> None:
    names = ("message-sha-256", "message-sha3-256")
    observations = [one for name in names for one in _both("little", name, observe.AT_ONCE, 200_000)]
    observations += [one for name in names for one in _both("big", name, observe.AT_ONCE, big)]
    found = _findings(observations, "whole processes, four at once")
    claim = next(claim for claim in found if claim.startswith("Hashing takes"))
    assert found[claim].verdict is verdict
    balance = next(claim for claim in found if claim.startswith("Of hashes"))
    assert found[balance].verdict is not Verdict.NOT_COMPARABLE
    assert {one.verdict for one in _findings(observations, "calls alone").values()} == {Verdict.NOT_MEASURED}


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((2.5, 2.4, 2.6, 2.5), Verdict.HOLDS),
        ((2.5, 5.0, 7.0, 9.0), Verdict.HOLDS_IN_PART),
        ((5.0, 5.0, 7.0, 9.0), Verdict.DOES_NOT_HOLD),
    ],
)
def test_rsa_over_ecdsa_is_that_of_a_multiplication(ratios: tuple[float, ...], verdict: Verdict) -> None:
    rsa, ecdsa = SIGNED.values()
    observations = []
    for ratio, one in zip(ratios, observe.MULTIPLICATIONS.values(), strict=True):
        for cluster in ("little", "big"):
            observations += _both(cluster, rsa, one.title, 1e6 * ratio, "message")
            observations += _both(cluster, ecdsa, one.title, 1e6, "message")
    (found,) = _findings(observations, "each of wolfSSL's multiplications").values()
    assert found.verdict is verdict
    assert f"sp_int.c, assembly: {ratios[0]:.2f}" in found.ours


def test_a_real_process_does_what_the_study_says(tmp_path: Path) -> None:
    """A message of 21 bytes is hashed; the packet is what another implementation makes, or the process is refused."""
    every = {(one.cluster, one.algorithm.name, one.role): one for one in observe._processes(LABORATORY, EXPERIMENT)}
    assert len(every) == 2 * 4 * 2
    send = every["little", "message-sha-256", "send"]
    alone = observe._whole(send, observe.ALONE).figures
    assert 5_000 < alone["instructions"] < 1_000_000
    assert alone["events"]["l2-misses"] > 0
    assert observe._heap(send).figures["heap_bytes"] == 0
    signed = every["little", SIGNED["secp256k1"], "send"]
    assert observe._heap(signed).figures["heap_bytes"] > 0
