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
_STUDY_LEVEL = "-O0"
_STUDY_BYTES = 21
LEVELS = ("-O0", "-O2")


@dataclass(frozen=True)
class Cost:
    """Sender plus receiver, as the study adds them; `sender_us` and `receiver_us` apart."""

    time_us: float
    energy_uj: float | None
    sender_us: float
    receiver_us: float
    band_percent: float


class Costs:
    """Costs by (cluster, MHz, algorithm, level), of one candidate.

    `power` is each cluster's power over the one of the model; 1 where it is not named.
    """

    def __init__(self, results: Sequence[Result], power: Mapping[str, float] | None = None) -> None:
        self._power = dict(power or {})
        cases: dict[tuple[str, int, str, str, str], Result] = {}
        candidates = [
            result.candidate for result in results if result.primitive == "message" and result.candidate == "wolfssl"
        ]
        for result in results:
            place = _TARGET.fullmatch(result.target)
            chosen = result.candidate == "wolfssl" if candidates else True
            if place and chosen and result.status is Status.OK and result.size_bytes == _STUDY_BYTES and result.time_us:
                key = (place[1], int(place[2]), result.algorithm, result.optimisation, result.operation)
                cases[key] = result
        self._cases = cases
        self.points = sorted(
            {(cluster, mhz) for cluster, mhz, *_ in cases}, key=lambda point: (point[0] != "little", point[1])
        )

    def get(self, cluster: str, mhz: int, algorithm: str, level: str = _STUDY_LEVEL) -> Cost | None:
        sender, receiver = (self._cases.get((cluster, mhz, algorithm, level, name)) for name in ("send", "receive"))
        if sender is None or receiver is None or sender.time_us is None or receiver.time_us is None:
            return None
        energy = None
        if sender.energy_uj is not None and receiver.energy_uj is not None:
            energy = (sender.energy_uj + receiver.energy_uj) * self._power.get(cluster, 1.0)
        band = max(sender.fidelity_band_percent or 0.0, receiver.fidelity_band_percent or 0.0)
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


def time_of(cost: Cost) -> float:
    """Sender and receiver, µs."""
    return cost.time_us


def energy_of(cost: Cost) -> float | None:
    """Sender and receiver, µJ."""
    return cost.energy_uj
