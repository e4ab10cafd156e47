"""Time and energy of sender and receiver, added as in the study."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bancada.model.result import Result
from bancada.model.status import Status

_TARGET = re.compile(r"xu3-(little|big)@(\d+)MHz")
CORES = {"little": "A7", "big": "A15"}
HASHES = ("sha-256", "sha3-256")
SIGNED = {"RSA-2048": "message-sha3-256+rsa-pkcs1", "secp256k1": "message-sha3-256+ecdsa-secp256k1"}
STUDY_LEVEL = "-O0"
_STUDY_BYTES = 21
LEVELS = ("-O0", "-O2")


def place_of(target: str) -> tuple[str, int] | None:
    """Cluster and MHz of a target of the study; None for another, and for one with a misprinted voltage."""
    place = _TARGET.fullmatch(target)
    return (place[1], int(place[2])) if place else None


@dataclass(frozen=True)
class Cost:
    """Sender plus receiver, as the study adds them; `sender_us` and `receiver_us` apart."""

    time_us: float
    energy_uj: float | None
    sender_us: float
    receiver_us: float
    band_percent: float


@dataclass(frozen=True)
class Spent:
    """What one role takes."""

    time_us: float
    energy_uj: float | None
    band_percent: float


# Cluster, MHz, algorithm, level, role.
Place = tuple[str, int, str, str, str]


class Costs:
    """Costs by (cluster, MHz, algorithm, level).

    `power` is each cluster's power over the one of the model; 1 where it is not named.
    """

    def __init__(self, spent: Mapping[Place, Spent], power: Mapping[str, float] | None = None) -> None:
        self._power = dict(power or {})
        self._spent = spent
        self.points = sorted(
            {(cluster, mhz) for cluster, mhz, *_ in spent}, key=lambda point: (point[0] != "little", point[1])
        )

    def get(self, cluster: str, mhz: int, algorithm: str, level: str = STUDY_LEVEL) -> Cost | None:
        sender, receiver = (self._spent.get((cluster, mhz, algorithm, level, name)) for name in ("send", "receive"))
        if sender is None or receiver is None:
            return None
        energy = None
        if sender.energy_uj is not None and receiver.energy_uj is not None:
            energy = (sender.energy_uj + receiver.energy_uj) * self._power.get(cluster, 1.0)
        band = max(sender.band_percent, receiver.band_percent)
        return Cost(sender.time_us + receiver.time_us, energy, sender.time_us, receiver.time_us, band)

    def frequencies(self, cluster: str) -> list[int]:
        return [mhz for place, mhz in self.points if place == cluster]

    def ratios(
        self, pairs: Sequence[tuple[tuple[str, int, str], tuple[str, int, str]]], value: Callable[[Cost], float | None]
    ) -> list[float]:
        """value(first) / value(second) for each pair of (cluster, MHz, algorithm) that has both."""
        found = []
        for first, second in pairs:
            costs = self.get(*first), self.get(*second)
            values = [value(cost) if cost is not None else None for cost in costs]
            if values[0] is not None and values[1]:
                found.append(values[0] / values[1])
        return found


def costs_of_calls(results: Sequence[Result], power: Mapping[str, float] | None = None) -> Costs:
    """Costs of the calls alone, of the study's library and payload."""
    is_message = [one for one in results if one.primitive == "message" and one.candidate == "wolfssl"]
    spent: dict[Place, Spent] = {}
    for result in is_message or results:
        place = place_of(result.target)
        if place and result.status is Status.OK and result.size_bytes == _STUDY_BYTES and result.time_us:
            spent[(*place, result.algorithm, result.optimisation, result.operation)] = Spent(
                result.time_us, result.energy_uj, result.fidelity_band_percent or 0.0
            )
    return Costs(spent, power)


def time_of(cost: Cost) -> float:
    """Sender and receiver, µs."""
    return cost.time_us


def energy_of(cost: Cost) -> float | None:
    """Sender and receiver, µJ."""
    return cost.energy_uj
