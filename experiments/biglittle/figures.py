"""The figures that findings.toml judges: ratios at the study's level of optimisation and with its payload."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .costs import CORES, HASHES, SIGNED, STUDY_LEVEL, Cost, Costs, costs_of_calls, energy_of, time_of
from .observe import MULTIPLICATIONS
from .processes import Taken, costs_of_messages, costs_of_processes, system_of, taken

# The study timed whole processes, with their start: calls have none.
_NO_PROCESSES = 0
_MISPRINT = "-1.89V"
_MISPRINTED = f"xu3-little@1000MHz{_MISPRINT}"
_HASH_NAMES = tuple(f"message-{name}" for name in HASHES)
_SIGNED_NAMES = tuple(SIGNED.values())
# Two of (cluster, MHz, algorithm).
_Pair = tuple[tuple[str, int, str], tuple[str, int, str]]


@dataclass(frozen=True)
class Prepared:
    """The results, and the costs that follow from them: of calls, and of whole processes, four at once. `messages` are
    calls again, by wolfSSL's multiplication; `taken` is the heap and the context that observe.py counted."""

    results: Sequence[Result]
    costs: Costs
    processes: Costs
    messages: Mapping[str, Costs]
    taken: Mapping[tuple[str, str, str], Taken]


def prepare(evidence: Evidence) -> Prepared:
    """What all figures are computed from."""
    power = {cluster: evidence.assumed[f"power_{cluster}"] for cluster in CORES}
    laboratory, observations, system = evidence.laboratory, evidence.observations, system_of(evidence.assumed)
    return Prepared(
        evidence.results,
        costs_of_calls(evidence.results, power),
        costs_of_processes(laboratory, observations, system, is_at_once=True, power=power),
        costs_of_messages(laboratory, observations, system),
        taken(observations),
    )


def _figures(costs: Costs, asked: Mapping[str, tuple[Sequence[_Pair], Callable[[Cost], float | None]]]) -> Figures:
    """Ratios by name; None if one of them has no values."""
    found = {name: Spread(costs.ratios(pairs, value)) for name, (pairs, value) in asked.items()}
    return found if all(found.values()) else None


def _hash_cores(costs: Costs) -> Figures:
    pairs = [(("little", mhz, name), ("big", mhz, name)) for mhz in _common_clocks(costs) for name in _HASH_NAMES]
    found = _figures(costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})
    return None if found is None else {**found, "slowest": _slowest_hash(costs)}


def hash_cores(prepared: Prepared) -> Figures:
    """`time` and `energy`: a hash on an A7 over an A15 at the same clock. `slowest`: the longest of them, in words."""
    found = _hash_cores(prepared.costs)
    return None if found is None else {**found, "processes": _NO_PROCESSES}


def hash_cores_of_processes(prepared: Prepared) -> Figures:
    """As `hash_cores`, of whole processes."""
    return _hash_cores(prepared.processes)


def _common_clocks(costs: Costs) -> list[int]:
    return sorted(set(costs.frequencies("little")) & set(costs.frequencies("big")))


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


def _hash_algorithms(costs: Costs) -> Figures:
    pairs = [(("little", mhz, _HASH_NAMES[0]), ("little", mhz, _HASH_NAMES[1])) for mhz in costs.frequencies("little")]
    asked = {
        "time": (pairs[:1], time_of),
        "energy": (pairs[:1], energy_of),
        "other_times": (pairs[1:], time_of),
    }
    return _figures(costs, asked)


def hash_algorithms(prepared: Prepared) -> Figures:
    """SHA-256 over SHA3-256 on the A7: `time` and `energy` at the lowest clock, `other_times` at the others."""
    found = _hash_algorithms(prepared.costs)
    return None if found is None else {**found, "processes": _NO_PROCESSES}


def hash_algorithms_of_processes(prepared: Prepared) -> Figures:
    """As `hash_algorithms`, of whole processes."""
    return _hash_algorithms(prepared.processes)


def _cores_at(mhz: int) -> list[_Pair]:
    return [(("big", mhz, name), ("little", mhz, name)) for name in _SIGNED_NAMES]


def _signature_cores(costs: Costs) -> Figures:
    pairs = _cores_at(600)
    return _figures(costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})


def signature_cores(prepared: Prepared) -> Figures:
    """`time` and `energy`: a signature on an A15 over an A7 at 600 MHz."""
    return _signature_cores(prepared.costs)


def signature_cores_of_processes(prepared: Prepared) -> Figures:
    """As `signature_cores`, of whole processes."""
    return _signature_cores(prepared.processes)


def signature_cores_at_1400(prepared: Prepared) -> Figures:
    """`energy`: a signature on an A15 over an A7 at 1400 MHz."""
    return _figures(prepared.costs, {"energy": (_cores_at(1400), energy_of)})


def _signature_cores_by_clock(costs: Costs) -> Figures:
    clocks = _common_clocks(costs)
    if len(clocks) < 2:
        return None
    asked = {"first": (_cores_at(clocks[0]), time_of), "last": (_cores_at(clocks[-1]), time_of)}
    found = _figures(costs, asked)
    if found is None:
        return None
    closed = [
        1 - abs(last - 1) / abs(first - 1) if first != 1 else 0.0
        for first, last in zip(found["first"], found["last"], strict=True)
    ]
    return {**found, "gap_closed": min(closed), "lowest": clocks[0], "highest": clocks[-1]}


def signature_cores_by_clock(prepared: Prepared) -> Figures:
    """`first` and `last`: a signature's time on an A15 over an A7 at the lowest and at the highest clock of both;
    `gap_closed`: the least part of the distance to equal times that the clock removes."""
    return _signature_cores_by_clock(prepared.costs)


def signature_cores_by_clock_of_processes(prepared: Prepared) -> Figures:
    """As `signature_cores_by_clock`, of whole processes."""
    return _signature_cores_by_clock(prepared.processes)


def signature_energy_on_the_a7(prepared: Prepared) -> Figures:
    """`energy`: a signature on an A7 over an A15, every clock that both have."""
    pairs = [
        (("little", mhz, name), ("big", mhz, name)) for mhz in _common_clocks(prepared.costs) for name in _SIGNED_NAMES
    ]
    return _figures(prepared.costs, {"energy": (pairs, energy_of)})


def _by_balance(costs: Costs, names: Mapping[str, str]) -> list[tuple[float, str]]:
    """Every algorithm, core and clock, nearest to the origin first: time and energy each over the most of any."""
    points = {
        f"{title} on the {CORES[cluster]} at {mhz} MHz": (cost.time_us, cost.energy_uj)
        for title, name in names.items()
        for cluster, mhz in costs.points
        if (cost := costs.get(cluster, mhz, name)) is not None and cost.energy_uj is not None
    }
    if not points:
        return []
    most_us, most_uj = (max(point[axis] or 0 for point in points.values()) for axis in (0, 1))
    return sorted(
        (((time_us / most_us) ** 2 + ((energy_uj or 0) / most_uj) ** 2) ** 0.5, name)
        for name, (time_us, energy_uj) in points.items()
    )


def _balance(costs: Costs, names: Mapping[str, str]) -> Figures:
    ordered = _by_balance(costs, names)
    if len(ordered) < 2:
        return None
    said = ", then ".join(f"{name} ({distance:.3f})" for distance, name in ordered[:3])
    return {"said": said, "order": [name for _, name in ordered]}


_HASHES = {"SHA-256": _HASH_NAMES[0], "SHA3-256": _HASH_NAMES[1]}


def hash_balance(prepared: Prepared) -> Figures:
    """`said`: the points nearest to the origin in energy against time, of hashes."""
    found = _balance(prepared.costs, _HASHES)
    return None if found is None else {"said": found["said"], "processes": _NO_PROCESSES}


def hash_balance_of_processes(prepared: Prepared) -> Figures:
    """As `hash_balance`, of whole processes. `first`: whether the study's is; `place`: whether the A7 at 1400 MHz
    is."""
    found = _balance(prepared.processes, _HASHES)
    if found is None:
        return None
    nearest = found["order"][0]
    return {
        "said": found["said"],
        "first": nearest == "SHA3-256 on the A7 at 1400 MHz",
        "place": nearest.endswith("on the A7 at 1400 MHz"),
    }


def signature_balance(prepared: Prepared) -> Figures:
    """`said`: as of `hash_balance`, of signatures. `first` and `second`: whether they are the study's."""
    found = _balance(prepared.costs, SIGNED)
    if found is None:
        return None
    first, second = found["order"][:2]
    return {
        "said": found["said"],
        "first": first == "secp256k1 on the A7 at 1400 MHz",
        "second": second == "secp256k1 on the A7 at 1000 MHz",
    }


def broadcast(prepared: Prepared) -> Figures:
    """`receivers`: from how many receivers of one message RSA takes less time than ECDSA, on every core at every
    clock; `energy_receivers`: less energy, of calls whose energy is as their time."""
    counts = []
    for point in prepared.costs.points:
        rsa, ecdsa = (prepared.costs.get(*point, name) for name in _SIGNED_NAMES)
        if rsa is not None and ecdsa is not None and ecdsa.receiver_us > rsa.receiver_us:
            # A signer once, a verifier each: s + n v is less from this n on.
            counts.append(max(0, math.ceil((rsa.sender_us - ecdsa.sender_us) / (ecdsa.receiver_us - rsa.receiver_us))))
    return {"receivers": Spread(counts)} if counts else None


@dataclass(frozen=True)
class Ram:
    """RAM of a message program; the context of a signature's key is known where its process was run."""

    name: str
    role: str
    static_bytes: int
    stack_bytes: int
    context_bytes: int | None
    heap_bytes: int | None

    @property
    def whole_bytes(self) -> int | None:
        """All of it."""
        if self.context_bytes is None or self.heap_bytes is None:
            return None
        return self.static_bytes + self.stack_bytes + self.context_bytes + self.heap_bytes


def memory_rows(prepared: Prepared) -> list[Ram]:
    """Of the study's library, level and payload, on the A7."""
    own = next(iter(MULTIPLICATIONS.values())).title
    rows = []
    for one in prepared.results:
        is_asked = one.algorithm in (*_HASH_NAMES, *_SIGNED_NAMES) and one.optimisation == STUDY_LEVEL
        is_here = (one.candidate, one.size_bytes, one.target) == ("wolfssl", 21, "xu3-little@600MHz")
        if (
            is_asked
            and is_here
            and one.status is Status.OK
            and one.ram_static_bytes is not None
            and one.stack_bytes is not None
        ):
            also = prepared.taken.get((one.algorithm, one.operation, own))
            context = one.ram_context_bytes if also is None else also.context_bytes
            heap = None if also is None else also.heap_bytes
            name = one.algorithm.removeprefix("message-")
            rows.append(Ram(name, one.operation, one.ram_static_bytes, one.stack_bytes, context, heap))
    return sorted(rows, key=lambda row: (row.name, row.role))


def memory(prepared: Prepared) -> Figures:
    """`said`: RAM of each message program, at the study's level; `counted` of them with their heap."""
    rows = memory_rows(prepared)
    counted = [row for row in rows if row.whole_bytes is not None]
    said = "; ".join(
        f"{row.name} {row.role} {number(row.whole_bytes or 0)} B ({number(row.heap_bytes or 0)} B of heap)"
        for row in counted
    )
    return {"said": said or "heap not counted", "counted": len(counted)} if rows else None


def _rsa_over_ecdsa(costs: Costs) -> list[_Pair]:
    return [((*point, _SIGNED_NAMES[0]), (*point, _SIGNED_NAMES[1])) for point in costs.points]


def _signature_algorithms(costs: Costs) -> Figures:
    pairs = _rsa_over_ecdsa(costs)
    return _figures(costs, {"time": (pairs, time_of), "energy": (pairs, energy_of)})


def signature_algorithms(prepared: Prepared) -> Figures:
    """`time` and `energy`: RSA over ECDSA, sender and receiver together, on every core at every clock."""
    return _signature_algorithms(prepared.costs)


def signature_algorithms_of_processes(prepared: Prepared) -> Figures:
    """As `signature_algorithms`, of whole processes."""
    return _signature_algorithms(prepared.processes)


def signature_algorithms_by_multiplication(prepared: Prepared) -> Figures:
    """As `signature_algorithms`, of all of wolfSSL's multiplications together; `said`: each in words. `nearest`: the
    one whose ratio of times is nearest to the published 2.5."""
    found = {
        name: ratios
        for name, costs in prepared.messages.items()
        if (ratios := _signature_algorithms(costs)) is not None
    }
    if len(found) < len(MULTIPLICATIONS):
        return None
    by_distance = sorted(found, key=lambda name: max(abs(one - 2.5) for one in found[name]["time"]))
    return {
        "time": Spread([one for ratios in found.values() for one in ratios["time"]]),
        "nearest_time": found[by_distance[0]]["time"],
        "nearest": by_distance[0],
        "said": "; ".join(f"{name}: {ratios['time']:.2f}" for name, ratios in found.items()),
    }


def signer_and_verifier(prepared: Prepared) -> Figures:
    """`sender` and `receiver`: RSA's time over ECDSA's, each by itself."""
    pairs = _rsa_over_ecdsa(prepared.costs)
    asked: dict[str, tuple[Sequence[_Pair], Callable[[Cost], float | None]]] = {
        "sender": (pairs, lambda cost: cost.sender_us),
        "receiver": (pairs, lambda cost: cost.receiver_us),
    }
    return _figures(prepared.costs, asked)
