"""The figures that findings.toml judges, from block ciphers' times and from runs of whole devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.claim import Figures
from bancada.studies.study import Evidence

from .energy import CELL_MAH, STUDY_SEND_S, mean_currents_ma, processor_currents, study_life_years
from .observe import PERIOD_S, SCHEDULES
from .observed import CLOCK_MHZ, SCHEDULE_WORDS, figures_of

_VARIANTS = ("plain", "small", "tiny")


def _microseconds(
    results: Sequence[Result], algorithm: str, variant: str, operation: str, key_bits: int = 128
) -> float | None:
    found = [
        result.time_us
        for result in results
        if result.status is Status.OK
        and (result.algorithm, result.variant, result.operation, result.key_bits)
        == (algorithm, variant, operation, key_bits)
        and result.time_us is not None
    ]
    return min(found, default=None)


def _slowest_cipher_ms(paper: dict[str, dict[str, Any]]) -> float | None:
    cycles = [
        figures[key]
        for figures in paper.values()
        for key in ("encrypt_cycles", "decrypt_cycles")
        if figures[key] is not None
    ]
    return max(cycles) / CLOCK_MHZ / 1000 if cycles else None


def throughput(evidence: Evidence) -> Figures:
    """Packets a second: `low` to `high` over all, `plain` without a cipher, `theory` of radio and serial line alone."""
    paper = figures_of(evidence.observations, "paper")
    rates = {name: figures["packets_per_s"] for name, figures in paper.items() if figures["packets_per_s"]}
    if "none" not in rates or len(rates) < 2:
        return None
    slowest_ms = _slowest_cipher_ms(paper)
    return {
        "low": min(rates.values()),
        "high": max(rates.values()),
        "plain": rates["none"],
        "theory": paper["none"]["packets_per_s_in_theory"],
        "ciphers": len(rates) - 1,
        "slowest": "" if slowest_ms is None else f"; the slowest cipher takes {slowest_ms:.1f} ms",
    }


def speck_variants(evidence: Evidence) -> Figures:
    """`small` and `tiny`: Speck's time over that of the plain variant."""
    plain, small, tiny = (_microseconds(evidence.results, "speck128", name, "encrypt") for name in _VARIANTS)
    if not (plain and small and tiny):
        return None
    return {"small": small / plain, "tiny": tiny / plain}


def speck_keys(evidence: Evidence) -> Figures:
    """Plain Speck, µs: `short` with 128 bits, `middle` with 192, `long` with 256."""
    short, middle, long = (
        _microseconds(evidence.results, "speck128", "plain", "encrypt", bits) for bits in (128, 192, 256)
    )
    if not (short and middle and long):
        return None
    return {"short": short, "middle": middle, "long": long, "middle_more": middle - short, "long_more": long - short}


def aes_directions(evidence: Evidence) -> Figures:
    """`back_least`, `back_most`: AES's decryption over its encryption; `small`, `tiny`: encryption over plain."""
    forth = [_microseconds(evidence.results, "aes", variant, "encrypt") for variant in _VARIANTS]
    back = [_microseconds(evidence.results, "aes", variant, "decrypt") for variant in _VARIANTS]
    if not all((*forth, *back)):
        return None
    small, tiny = ((one or 0) / (forth[0] or 1) for one in forth[1:])
    ratios = [(there or 0) / (here or 1) for here, there in zip(forth, back, strict=True)]
    return {"back_least": min(ratios), "back_most": max(ratios), "small": small, "tiny": tiny}


def initialisation(evidence: Evidence) -> Figures:
    """Milliseconds from power-on: `sender_ms`, `receiver_ms`; `slowest_ms` of one call of the slowest cipher."""
    paper = figures_of(evidence.observations, "paper")
    plain, slowest_ms = paper.get("none"), _slowest_cipher_ms(paper)
    if not plain or plain["sensor_ready_ms"] is None or plain["gateway_ready_ms"] is None or slowest_ms is None:
        return None
    return {
        "sender_ms": plain["sensor_ready_ms"],
        "receiver_ms": plain["gateway_ready_ms"],
        "slowest_ms": slowest_ms,
    }


def battery(evidence: Evidence) -> Figures:
    """`hours` of a cell at `mean_ma`, of which sealing is `crypto_percent`; `study_years` by the study's formula."""
    duty = figures_of(evidence.observations, "duty").get("sealed")
    if duty is None:
        return None
    mean_ma = sum(mean_currents_ma(evidence.laboratory, duty).values())
    crypto_ma = (duty["seal_share"] or 0.0) * processor_currents(evidence.laboratory)[0]
    return {
        "hours": CELL_MAH / mean_ma,
        "mean_ma": mean_ma,
        "crypto_percent": crypto_ma / mean_ma * 100,
        "study_years": study_life_years(STUDY_SEND_S),
    }


def several_sensors(evidence: Evidence) -> Figures:
    """`delivered`: the part of all packets by schedule and number of sensors, in words."""
    delivery = figures_of(evidence.observations, "delivery")
    said = []
    for schedule in SCHEDULES:
        points = [
            (f["sensors"], f["delivered_part"]) for name, f in delivery.items() if name.startswith(f"{schedule} ")
        ]
        if points:
            shown = ", ".join(f"{sensors}: {part * 100:.0f} %" for sensors, part in sorted(points) if part is not None)
            said.append(f"{SCHEDULE_WORDS[schedule]}: {shown}")
    return {"delivered": "; ".join(said), "period_s": PERIOD_S} if said else None
