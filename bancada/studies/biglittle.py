"""Study `biglittle`: hashes and signatures of a sender and a receiver on an ODROID-XU3's Cortex-A7 and Cortex-A15."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bancada.ranking import number
from bancada.records import Finding, Observation, Result, Status, Verdict
from bancada.report.input import ExtraSection, Series, XYPlot
from bancada.studies.study import Study

_TARGET = re.compile(r"xu3-(little|big)@(\d+)MHz")
_MISPRINT = "-1.89V"
_MISPRINTED = f"xu3-little@1000MHz{_MISPRINT}"
_CORES = {"little": "A7", "big": "A15"}
_HASHES = ("sha-256", "sha3-256")
_SIGNED = {"RSA-2048": "message-sha3-256+rsa-pkcs1", "secp256k1": "message-sha3-256+ecdsa-secp256k1"}
_STUDY_LEVEL = "-O0"
_STUDY_BYTES = 21
_LEVELS = ("-O0", "-O2")
# A cluster and an algorithm.
_Case = tuple[str, str]


@dataclass(frozen=True)
class _Cost:
    """Sender plus receiver, as the study adds them; `sender_us` and `receiver_us` apart."""

    time_us: float
    energy_uj: float | None
    sender_us: float
    receiver_us: float
    band_percent: float


class _Costs:
    """Costs by (cluster, MHz, algorithm, level), of one candidate."""

    def __init__(self, results: Sequence[Result]) -> None:
        cases: dict[tuple[str, int, str, str, str], Result] = {}
        candidates = [result.candidate for result in results if result.primitive == "message" and result.candidate == "wolfssl"]
        for result in results:
            place = _TARGET.fullmatch(result.target)
            chosen = result.candidate == "wolfssl" if candidates else True
            if place and chosen and result.status is Status.OK and result.size_bytes == _STUDY_BYTES and result.time_us:
                key = (place[1], int(place[2]), result.algorithm, result.optimisation, result.operation)
                cases[key] = result
        self._cases = cases
        self.points = sorted({(cluster, mhz) for cluster, mhz, *_ in cases}, key=lambda point: (point[0] != "little", point[1]))

    def get(self, cluster: str, mhz: int, algorithm: str, level: str = _STUDY_LEVEL) -> _Cost | None:
        sender, receiver = (self._cases.get((cluster, mhz, algorithm, level, name)) for name in ("send", "receive"))
        if sender is None or receiver is None or sender.time_us is None or receiver.time_us is None:
            return None
        energy = None
        if sender.energy_uj is not None and receiver.energy_uj is not None:
            energy = sender.energy_uj + receiver.energy_uj
        band = max(sender.fidelity_band_percent or 0.0, receiver.fidelity_band_percent or 0.0)
        return _Cost(sender.time_us + receiver.time_us, energy, sender.time_us, receiver.time_us, band)

    def frequencies(self, cluster: str) -> list[int]:
        return [mhz for place, mhz in self.points if place == cluster]

    def ratios(
        self, pairs: Sequence[tuple[tuple[str, int, str], tuple[str, int, str]]], value: Callable[[_Cost], float | None]
    ) -> list[float]:
        """value(first) / value(second) for each pair of (cluster, MHz, algorithm) that has both."""
        found = []
        for first, second in pairs:
            costs = self.get(*first), self.get(*second)
            values = [value(cost) if cost is not None else None for cost in costs]
            if values[0] is not None and values[1]:
                found.append(values[0] / values[1])
        return found


def _time(cost: _Cost) -> float:
    return cost.time_us


def _energy(cost: _Cost) -> float | None:
    return cost.energy_uj


def _range(ratios: Sequence[float]) -> str:
    low, high = min(ratios), max(ratios)
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"


def _finding(
    claim: str, published: str, said: Sequence[tuple[str, Sequence[float]]], holds: Callable[..., Verdict], why: str
) -> Finding:
    """A finding about ratios: `said` gives words and ratios; `holds` judges them in that order."""
    if not all(ratios for _, ratios in said):
        return Finding(claim, published, "no figure", Verdict.NOT_MEASURED, "The cases that answer it have no figures.")
    ours = "; ".join(f"{words}: {_range(ratios)}" for words, ratios in said)
    return Finding(claim, published, ours, holds(*(ratios for _, ratios in said)), why)


def _verdict(holds: bool, in_part: bool = False) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.HOLDS_IN_PART if in_part else Verdict.DOES_NOT_HOLD


def _misprint(results: Sequence[Result]) -> str:
    """What the voltage as the study prints it comes to, where it was measured besides."""
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
        f" At the voltage that the study prints for 1000 MHz, 1.8900 V for 1.0890 V, the same calls need {min(ratios):.2f} to "
        f"{max(ratios):.2f} times the energy."
    )


def _slowest_hash(costs: _Costs, hashes: Sequence[str]) -> str:
    found = [cost.time_us for point in costs.points for name in hashes if (cost := costs.get(*point, name)) is not None]
    return f", of sender and receiver together at most {number(round(max(found)))} µs" if found else ""


def findings(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[Finding, ...]:
    """The study's findings in its order, at its level of optimisation and with its payload."""
    costs = _Costs(results)
    both = sorted(set(costs.frequencies("little")) & set(costs.frequencies("big")))
    hashes = [f"message-{name}" for name in _HASHES]
    same_clock = [(("little", mhz, name), ("big", mhz, name)) for mhz in both for name in hashes]
    little = costs.frequencies("little")
    sha2_over_sha3 = {mhz: [(("little", mhz, hashes[0]), ("little", mhz, hashes[1]))] for mhz in little}
    slowest = [sha2_over_sha3[mhz] for mhz in little[:1]]
    faster = [pair for mhz in little[1:] for pair in sha2_over_sha3[mhz]]
    signed = list(_SIGNED.values())
    at_600 = [(("big", 600, name), ("little", 600, name)) for name in signed]
    at_1400 = [(("big", 1400, name), ("little", 1400, name)) for name in signed]
    rsa_over_ecc = [((*point, signed[0]), (*point, signed[1])) for point in costs.points]
    rising = [
        (("little", later, name), ("little", earlier, name))
        for name in (*hashes, *signed)
        for earlier, later in zip(little, little[1:], strict=False)
    ]
    return (
        _finding(
            "Hashing takes about as long on an A7 as on an A15 at the same clock, and a tenth of the energy",
            "times alike; the A7 uses about 90 % less",
            (("A7 over A15, time", costs.ratios(same_clock, _time)), ("energy", costs.ratios(same_clock, _energy))),
            lambda time, energy: _verdict(max(time) < 1.25 and max(energy) < 0.2, max(energy) < 0.5),
            "Ours are the calls alone" + _slowest_hash(costs, hashes) + ". The study timed whole processes in a full system, four at once; what "
            "loading and starting them takes is not published, and would hide a difference of such calls.",
        ),
        _finding(
            "A higher clock costs more energy", "on the A7, for everything",
            (("each step of the A7's clock over the one before, energy", costs.ratios(rising, _energy)),),
            lambda energy: _verdict(min(energy) > 1, max(energy) > 1),
            "Dynamic energy grows with the square of the voltage, while static power is paid for a shorter time." + _misprint(results),
        ),
        _finding(
            "At 200 MHz SHA-256 is 25 % faster than SHA3-256 and needs 38 % less energy; alike at other clocks",
            "0.75 of the time, 0.62 of the energy at 200 MHz",
            (
                ("SHA-256 over SHA3-256 at the lowest clock, time", costs.ratios([p for s in slowest for p in s], _time)),
                ("energy", costs.ratios([p for s in slowest for p in s], _energy)),
                ("time at the others", costs.ratios(faster, _time)),
            ),
            lambda slow, energy, others: _verdict(
                abs(slow[0] - 0.75) < 0.1 and max(abs(r - 1) for r in others) < 0.1, slow[0] < 0.9
            ),
            "The cycles of a hash do not depend on the clock, so the ratio cannot either, but for memory, which these small programs "
            "do not wait for; at higher clocks the study's processes may have hidden the hash.",
        ),
        _finding(
            "At 600 MHz an A15 signs and verifies 30 % faster than an A7, at three times the energy", "0.7 of the time, 3 times",
            (("A15 over A7, time", costs.ratios(at_600, _time)), ("energy", costs.ratios(at_600, _energy))),
            lambda time, energy: _verdict(max(time) < 0.85 and min(energy) > 2, max(time) < 1 and min(energy) > 1),
            "Long multiplications are where a wide core that runs out of order gains; its energy for each cycle is about three "
            "times the A7's at the same voltage.",
        ),
        _finding(
            "The gap narrows with the clock and stays at twice the energy", "about 2 times at 1400 MHz",
            (("A15 over A7 at 1400 MHz, energy", costs.ratios(at_1400, _energy)),),
            lambda energy: _verdict(1.3 < min(energy) and max(energy) < 3, min(energy) > 1),
            "At 1400 MHz the A7 needs 1.253 V and the A15 1.042 V, which brings them nearer.",
        ),
        _finding(
            "RSA-2048 takes 2.5 times the time and energy of ECDSA on secp256k1, sender and receiver together", "2.5 times, both",
            (
                ("RSA over ECDSA, time", costs.ratios(rsa_over_ecc, _time)),
                ("energy", costs.ratios(rsa_over_ecc, _energy)),
            ),
            lambda time, energy: _verdict(1.7 < min(time) and max(time) < 3.5, min(time) > 1),
            "It is a ratio of two implementations in one library: how it multiplies decides it.",
        ),
        _finding(
            "ECDSA wins at signing, RSA at verifying", "stated, without figures",
            (
                ("RSA over ECDSA, sender", costs.ratios(rsa_over_ecc, lambda cost: cost.sender_us)),
                ("receiver", costs.ratios(rsa_over_ecc, lambda cost: cost.receiver_us)),
            ),
            lambda sender, receiver: _verdict(min(sender) > 1 and max(receiver) < 1, min(sender) > 1 or max(receiver) < 1),
            "RSA verifies with an exponent of 17 bits and signs with one of 2048, or with two of 1024 where the primes are kept.",
        ),
    )  # fmt: skip


def _energy_plot(costs: _Costs, algorithms: dict[str, str], title: str) -> XYPlot | None:
    series = []
    for place, (name, algorithm) in enumerate(algorithms.items()):
        for marker, (cluster, core) in enumerate(_CORES.items()):
            points, names, band = [], [], 0.0
            for mhz in costs.frequencies(cluster):
                cost = costs.get(cluster, mhz, algorithm)
                if cost is not None and cost.energy_uj is not None:
                    points.append((cost.time_us, cost.energy_uj))
                    names.append(f"{name} on {core} at {mhz} MHz")
                    band = max(band, cost.band_percent)
            if points:
                series.append(Series(f"{name}, {core}", tuple(points), colour=place, marker=marker, dashed=cluster == "big",
                                     band_percent=band or None, point_names=tuple(names)))  # fmt: skip
    if not series:
        return None
    band = max(one.band_percent or 0.0 for one in series)
    return XYPlot(
        title, "time, sender and receiver, µs", "energy, µJ", tuple(series),
        f"Modelled ±{number(band)} % in time, shown as whiskers; energy by GemStone's model besides. Each dot is a clock, the lowest "
        "to the right. Left and down is better.",
        x_logarithmic=True, y_logarithmic=True,
    )  # fmt: skip


def _relative_plot(costs: _Costs, title: str, what: str, compared: dict[str, tuple[_Case, _Case]]) -> XYPlot | None:
    """Ratios of two (cluster, algorithm) at each clock that both have."""
    series = []
    band = 0.0
    for place, (name, (first, second)) in enumerate(compared.items()):
        for dashed, (value, words) in enumerate(((_time, "time"), (_energy, "energy"))):
            points = []
            for mhz in sorted({mhz for _, mhz in costs.points}):
                both = ((first[0], mhz, first[1]), (second[0], mhz, second[1]))
                ratios = costs.ratios([both], value)
                if ratios:
                    points.append((float(mhz), ratios[0]))
                    band = max(band, (costs.get(*both[0]) or _Cost(0, 0, 0, 0, 0)).band_percent)
            if points:
                series.append(Series(f"{name}, {words}", tuple(points), colour=place, dashed=bool(dashed), marker=dashed))
    if not series:
        return None
    return XYPlot(
        title, "clock, MHz", what, tuple(series), f"Modelled ±{number(band)} %. Above 1: more of it.",
        x_logarithmic=False, x_ticks_measured=True, levels=(("equal", 1.0),),
    )  # fmt: skip


def _table(costs: _Costs, title: str, algorithms: dict[str, str]) -> ExtraSection:
    rows = []
    for cluster, mhz in costs.points:
        for name, algorithm in algorithms.items():
            for level in _LEVELS:
                cost = costs.get(cluster, mhz, algorithm, level)
                if cost is not None:
                    energy = "not known" if cost.energy_uj is None else number(round(cost.energy_uj, 2))
                    rows.append((f"{_CORES[cluster]} {mhz} MHz", name, level, number(round(cost.sender_us, 2)),
                                 number(round(cost.receiver_us, 2)), number(round(cost.time_us, 2)), energy))  # fmt: skip
    return ExtraSection(
        title=title,
        columns=("Core and clock", "Algorithm", "Level", "Sender, µs", "Receiver, µs", "Both, µs", "Energy of both, µJ"),
        rows=tuple(rows),
    )


def parts(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[ExtraSection, ...]:
    """The study's figures 3 to 8 and its two tables."""
    costs = _Costs(results)
    hashes = {name.upper(): f"message-{name}" for name in _HASHES}
    plots = [
        _energy_plot(costs, hashes, "Hashes: energy against time"),
        _energy_plot(costs, _SIGNED, "Signatures: energy against time"),
        _relative_plot(
            costs, "A15 over A7 at the same clock", "A15 ÷ A7",
            {name: (("big", algorithm), ("little", algorithm)) for name, algorithm in (hashes | _SIGNED).items()},
        ),
        _relative_plot(
            costs, "RSA-2048 over secp256k1", "RSA ÷ ECDSA",
            {core: ((cluster, _SIGNED["RSA-2048"]), (cluster, _SIGNED["secp256k1"])) for cluster, core in _CORES.items()},
        ),
        _relative_plot(
            costs, "SHA-256 over SHA3-256", "SHA-256 ÷ SHA3-256",
            {core: ((cluster, "message-sha-256"), (cluster, "message-sha3-256")) for cluster, core in _CORES.items()},
        ),
    ]  # fmt: skip
    drawn = tuple(plot for plot in plots if plot is not None)
    if not drawn:
        return ()
    return (
        ExtraSection(
            title="Time and energy",
            paragraphs=("A message of 21 bytes, without optimisation, as in the study; sender and receiver together.",),
            plots=drawn,
        ),
        _table(costs, "Hashes, not signed (the study's table III)", hashes),
        _table(costs, "SHA3-256, signed (the study's table IV)", _SIGNED),
    )


BIGLITTLE = Study(findings, parts)
