"""The figures that findings.toml judges: ratios at the study's level of optimisation and with its payload."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .costs import HASHES, SIGNED, Cost, Costs, energy_of, time_of

_MISPRINT = "-1.89V"
_MISPRINTED = f"xu3-little@1000MHz{_MISPRINT}"
_HASH_NAMES = tuple(f"message-{name}" for name in HASHES)
_SIGNED_NAMES = tuple(SIGNED.values())
# Two of (cluster, MHz, algorithm).
_Pair = tuple[tuple[str, int, str], tuple[str, int, str]]


@dataclass(frozen=True)
class Prepared:
    """The results, and the costs that follow from them."""

    results: Sequence[Result]
    costs: Costs


def prepare(evidence: Evidence) -> Prepared:
    """What all figures are computed from."""
    return Prepared(evidence.results, Costs(evidence.results))


def _figures(costs: Costs, asked: Mapping[str, tuple[Sequence[_Pair], Callable[[Cost], float | None]]]) -> Figures:
    """Ratios by name; None if one of them has no values."""
    found = {name: Spread(costs.ratios(pairs, value)) for name, (pairs, value) in asked.items()}
    return found if all(found.values()) else None


def hash_cores(prepared: Prepared) -> Figures:
    """`time` and `energy`: a hash on an A7 over an A15 at the same clock. `slowest`: the longest of them, in words."""
    costs = prepared.costs
    both = sorted(set(costs.frequencies("little")) & set(costs.frequencies("big")))
    pairs = [(("little", mhz, name), ("big", mhz, name)) for mhz in both for name in _HASH_NAMES]
    found = _figures(costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})
    return None if found is None else {**found, "slowest": _slowest_hash(costs)}


def _slowest_hash(costs: Costs) -> str:
    found = [
        cost.time_us for point in costs.points for name in _HASH_NAMES if (cost := costs.get(*point, name)) is not None
    ]
    return f", of sender and receiver together at most {number(round(max(found)))} µs" if found else ""


def clock_steps(prepared: Prepared) -> Figures:
    """`energy`: at each clock of the A7 over the clock before. `misprint`: the effect of a misprinted voltage, in
    words."""
    costs = prepared.costs
    little = costs.frequencies("little")
    rising = [
        (("little", later, name), ("little", earlier, name))
        for name in (*_HASH_NAMES, *_SIGNED_NAMES)
        for earlier, later in pairwise(little)
    ]
    found = _figures(costs, {"energy": (rising, energy_of)})
    return None if found is None else {**found, "misprint": _misprint(prepared.results)}


def _misprint(results: Sequence[Result]) -> str:
    """The effect of the voltage as the study prints it, where it was measured too."""
    printed, right = (
        {
            (result.implementation, result.operation, result.size_bytes, result.optimisation): result.energy_uj
            for result in results
            if result.target == target and result.status is Status.OK and result.energy_uj
        }
        for target in (_MISPRINTED, _MISPRINTED.removesuffix(_MISPRINT))
    )
    ratios = [energy / right[case] for case, energy in printed.items() if case in right]
    if not ratios:
        return ""
    return (
        " At the voltage that the study prints for 1000 MHz, 1.8900 V for 1.0890 V, the same calls need "
        f"{min(ratios):.2f} to "
        f"{max(ratios):.2f} times the energy."
    )


def hash_algorithms(prepared: Prepared) -> Figures:
    """SHA-256 over SHA3-256 on the A7: `time` and `energy` at the lowest clock, `other_times` at the others."""
    costs = prepared.costs
    pairs = [(("little", mhz, _HASH_NAMES[0]), ("little", mhz, _HASH_NAMES[1])) for mhz in costs.frequencies("little")]
    asked = {
        "time": (pairs[:1], time_of),
        "energy": (pairs[:1], energy_of),
        "other_times": (pairs[1:], time_of),
    }
    found = _figures(costs, asked)
    if found is None:
        return None
    return {**found, "furthest_from_equal": max(abs(ratio - 1) for ratio in found["other_times"])}


def _cores_at(mhz: int) -> list[_Pair]:
    return [(("big", mhz, name), ("little", mhz, name)) for name in _SIGNED_NAMES]


def signature_cores(prepared: Prepared) -> Figures:
    """`time` and `energy`: a signature on an A15 over an A7 at 600 MHz."""
    pairs = _cores_at(600)
    return _figures(prepared.costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})


def signature_cores_at_1400(prepared: Prepared) -> Figures:
    """`energy`: a signature on an A15 over an A7 at 1400 MHz."""
    return _figures(prepared.costs, {"energy": (_cores_at(1400), energy_of)})


def _rsa_over_ecdsa(costs: Costs) -> list[_Pair]:
    return [((*point, _SIGNED_NAMES[0]), (*point, _SIGNED_NAMES[1])) for point in costs.points]


def signature_algorithms(prepared: Prepared) -> Figures:
    """`time` and `energy`: RSA over ECDSA, sender and receiver together, on every core at every clock."""
    pairs = _rsa_over_ecdsa(prepared.costs)
    return _figures(prepared.costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})


def signer_and_verifier(prepared: Prepared) -> Figures:
    """`sender` and `receiver`: RSA's time over ECDSA's, each by itself."""
    pairs = _rsa_over_ecdsa(prepared.costs)
    asked: dict[str, tuple[Sequence[_Pair], Callable[[Cost], float | None]]] = {
        "sender": (pairs, lambda cost: cost.sender_us),
        "receiver": (pairs, lambda cost: cost.receiver_us),
    }
    return _figures(prepared.costs, asked)
