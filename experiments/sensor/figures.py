"""The figures that findings.toml judges of whole devices: throughput, power-on, battery life, several sensors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import mean
from typing import Any

from bancada.studies.claim import Figures
from bancada.studies.observed import figures_of
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .energy import (
    CELL_MAH,
    STUDY_SEND_S,
    STUDY_YEARS,
    crypto_part,
    mean_currents_ma,
    receiver_currents_ma,
    study_life_years,
    study_share,
    study_time_us,
)
from .life import life_left
from .observe import AIR_RATE, PERIOD_S, SCHEDULES
from .observed import CLOCK_MHZ, SCHEDULE_WORDS, half_width, runs_of

# The firmware of the paper mode waits so long behind each packet: docs/reference/link-firmware.md.
_WAIT_MS = 20.0
# The simulated module's self-check at power-on: docs/reference/link-simulation.md.
_SELF_CHECK_MS = 100.0


def _slowest_cipher_ms(paper: Mapping[str, Mapping[str, Any]]) -> float | None:
    cycles = [
        figures[key]
        for figures in paper.values()
        for key in ("encrypt_cycles", "decrypt_cycles")
        if figures[key] is not None
    ]
    return max(cycles) / CLOCK_MHZ / 1000 if cycles else None


def packet_ms(figures: Mapping[str, Any], assumed: Mapping[str, float]) -> float | None:
    """From one packet to the next with other assumptions than those of the simulation, whose time is `packet_ms`.

    What the simulation has besides line, air and wait stays as it is. Where AUX rises when a packet begins to be sent,
    the next one comes over the line meanwhile, and the module sends it when the air is free.
    """
    if "air_ms" not in figures:
        return None
    rest_ms = figures["packet_ms"] - figures["line_ms"] - figures["air_ms"][str(AIR_RATE)] - _WAIT_MS
    air_ms = figures["air_ms"][f"{assumed['air_rate']:.0f}"]
    besides_ms = figures["line_ms"] + assumed["wait_ms"] + rest_ms
    return float(air_ms + besides_ms if assumed["aux_at_end"] else max(air_ms, besides_ms))


def throughput(evidence: Evidence) -> Figures:
    """Packets a second: `low` to `high` over all, `plain` without a cipher, `theory` of radio and serial line alone."""
    paper = figures_of(evidence.observations, "paper")
    rates = {
        name: 1000 / time_ms
        for name, figures in paper.items()
        if figures["packets_per_s"] and (time_ms := packet_ms(figures, evidence.assumed))
    }
    if "none" not in rates or len(rates) < 2:
        return None
    slowest_ms = _slowest_cipher_ms(paper)
    return {
        "low": min(rates.values()),
        "high": max(rates.values()),
        "plain": rates["none"],
        "packets_per_s": Spread(rates.values()),
        "theory": paper["none"]["packets_per_s_in_theory"],
        "ciphers": len(rates) - 1,
        "slowest": "" if slowest_ms is None else f"; the slowest cipher takes {slowest_ms:.1f} ms",
    }


def time_of_a_transmission(evidence: Evidence) -> Figures:
    """`ms`: a packet of 16 bytes on the air; `all`: at every air rate, in words."""
    plain = figures_of(evidence.observations, "paper").get("none")
    if plain is None or "air_ms" not in plain:
        return None
    said = " and ".join(f"{time_ms:.0f} ms at {int(rate) / 1000:g} kbit/s" for rate, time_ms in plain["air_ms"].items())
    return {"ms": plain["air_ms"][f"{evidence.assumed['air_rate']:.0f}"], "all": said}


def initialisation(evidence: Evidence) -> Figures:
    """Milliseconds from power-on: `sender_ms`, `receiver_ms`; `slowest_ms` of one call of the slowest cipher."""
    paper = figures_of(evidence.observations, "paper")
    plain, slowest_ms = paper.get("none"), _slowest_cipher_ms(paper)
    if not plain or plain["sensor_ready_ms"] is None or plain["gateway_ready_ms"] is None or slowest_ms is None:
        return None
    other_ms = evidence.assumed["self_check_ms"] - _SELF_CHECK_MS
    return {
        "sender_ms": plain["sensor_ready_ms"] + other_ms,
        "receiver_ms": plain["gateway_ready_ms"] + other_ms,
        "slowest_ms": slowest_ms,
    }


def battery(evidence: Evidence) -> Figures:
    """Hours of a cell, `sender_h` and `receiver_h`, at their mean currents; `study_us`: what the published years are
    made of; `study_years`: by the study's formula and a correct reckoning."""
    duty = figures_of(evidence.observations, "duty").get("sealed")
    if duty is None or "gateway_shares" not in duty:
        return None
    sender_ma = sum(mean_currents_ma(evidence.laboratory, duty).values())
    receiver_ma = sum(receiver_currents_ma(evidence.laboratory, duty, evidence.assumed["receive_ma"]).values())
    return {
        "sender_h": CELL_MAH / sender_ma,
        "receiver_h": CELL_MAH / receiver_ma,
        "sender_ma": sender_ma,
        "receiver_ma": receiver_ma,
        "sender_years": CELL_MAH / sender_ma / 8766,
        "receiver_years": CELL_MAH / receiver_ma / 8766,
        "sender_us": study_time_us(STUDY_YEARS["sender"]),
        "receiver_us": study_time_us(STUDY_YEARS["receiver"]),
        "study_years": study_life_years(STUDY_SEND_S),
    }


def battery_with_ciphers(evidence: Evidence) -> Figures:
    """The part of the life that a cipher leaves, per cent: `left`, by a correct reckoning, of the slowest and the
    fastest cipher; `study_left`: by the study's, with our times."""
    duty = figures_of(evidence.observations, "duty").get("sealed")
    paper = figures_of(evidence.observations, "paper")
    cycles = [one["encrypt_cycles"] for one in paper.values() if one["encrypt_cycles"] is not None]
    if duty is None or not cycles:
        return None
    mean_ma = sum(mean_currents_ma(evidence.laboratory, duty).values())
    times_us = [count / CLOCK_MHZ for count in cycles]
    left = [
        (1 - crypto_part(evidence.laboratory, time_us, PERIOD_S, mean_ma)) * 100
        for time_us in (max(times_us), min(times_us))
    ]
    by_study = [study_share(STUDY_YEARS["sender"], time_us) * 100 for time_us in (max(times_us), min(times_us))]
    return {"left": Spread(left), "study_left": Spread(by_study)}


def life_left_with_the_studys(evidence: Evidence) -> Figures:
    """`receiver`: per cent of the life left over the published ones, by the study's reckoning with the times of its own
    library; `sender`: a hundredth of it over the published ones; `worst`: the receiver's that differs most."""
    found = life_left(evidence)
    ratios = {
        device: [one.percent / one.published for one in found if one.device == device and one.published]
        for device in ("sender", "receiver")
    }
    if not all(ratios.values()):
        return None
    worst = max(
        (one for one in found if one.device == "receiver" and one.published),
        key=lambda one: abs(math.log(one.percent / (one.published or 1))),
    )
    return {
        "receiver": Spread(ratios["receiver"]),
        "sender": Spread([one / 100 for one in ratios["sender"]]),
        "worst": worst.cipher,
    }


def several_sensors(evidence: Evidence) -> Figures:
    """`delivered`: the part of all packets by schedule and number of sensors, with its error, in words; `awake` and
    `latency_ms` of the gateway."""
    said, awake, latency = [], [], []
    for schedule in SCHEDULES:
        points = []
        for one in runs_of(evidence.observations, schedule):
            error = half_width(one.get("delivered_parts", ()))
            more = "" if error is None else f" ± {error * 100:.0f}"
            points.append(
                f"{one['sensors']}: {mean(one.get('delivered_parts') or [one['delivered_part']]) * 100:.0f}{more} %"
            )
            awake += [one["gateway_awake_part"] * 100] if "gateway_awake_part" in one else []
            latency += [one["latency_most_ms"]] if one.get("latency_most_ms") is not None else []
        if points:
            said.append(f"{SCHEDULE_WORDS[schedule]}: {', '.join(points)}")
    if not said:
        return None
    load = ""
    if awake and latency:
        load = (
            f". Its Arduino is awake {Spread(awake):.1f} % of the time, and a packet leaves its serial port at most "
            f"{max(latency):.0f} ms after its end on the air"
        )
    return {"delivered": "; ".join(said), "load": load, "period_s": PERIOD_S}
