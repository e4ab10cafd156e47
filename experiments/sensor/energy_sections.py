"""Sections: energy and battery life, in the study's units and in a correct reckoning; integrity for each packet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.model.finding import Observation
from bancada.plan.laboratory import Laboratory
from bancada.studies.assumption import as_assumed
from bancada.studies.observed import figures_of
from bancada.studies.study import Evidence

from .assumptions import ASSUMPTIONS
from .blocks import studys_blocks
from .energy import (
    CELL_MAH,
    E32_SEND_MA,
    STUDY_IDLE_S,
    STUDY_IDLE_UA,
    STUDY_SEND_UA,
    STUDY_VOLTS,
    STUDY_YEARS,
    crypto_part,
    energy_uj_of,
    mean_currents_ma,
    receiver_currents_ma,
    study_life_years,
    study_pwh,
    study_share,
    study_time_us,
)
from .observe import PERIOD_S
from .observed import CLOCK_MHZ
from .packets import KIND as PACKET_KIND
from .packets import PROTECTIONS
from .whole_devices import parts_of, title

_NONE = "–"
_VARIANTS = ("plain", "Small", "Tiny")
_FAMILIES = ("AES", "Speck")
# The study's two figures: what is drawn, the cycles of whole programs, and the operation of a library.
_DRAWN = (("encryption, sender", "encrypt_cycles", "encrypt"), ("decryption, receiver", "decrypt_cycles", "decrypt"))
_OWN_CAPTION = "Cycles exact, of Tatu in the whole firmware; 16 bytes."
_STUDYS_CAPTION = "Cycles exact, of the study's own library, compiled as by the Arduino IDE (-Os); 16 bytes."


def _energy_plot(title: str, times_us: Mapping[str, float], caption: str) -> XYPlot | None:
    """The energy of a packet by key, in the study's picowatt-hours; the times by the study's names of ciphers."""
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, time_us in times_us.items():
        family, *variant, bits = name.split()
        points.setdefault((family, variant[0] if variant else "plain"), []).append((float(bits), study_pwh(time_us)))
    series = tuple(
        Series(
            f"{family} {variant}",
            tuple(sorted(points[family, variant])),
            colour=colour,
            marker=marker,
            dashed=bool(marker),
        )
        for colour, family in enumerate(_FAMILIES)
        for marker, variant in enumerate(_VARIANTS)
        if (family, variant) in points
    )
    if not series:
        return None
    return XYPlot(
        title,
        "key, bits",
        "energy, pWh",
        series,
        f"{caption} E = v i t with the study's 12 V and 14 µA. By the data sheet's 5 V and 9.5 mA each is 283 times as "
        "much.",
        x_ticks_measured=True,
    )


def energy_plots(evidence: Evidence, paper: Mapping[str, Mapping[str, Any]]) -> ExtraSection | None:
    """The study's figure 3: energy by algorithm, sender and receiver; of the study's library, and of Tatu."""
    blocks, plots = studys_blocks(evidence), []
    for what, field, operation in _DRAWN:
        whole = {
            title(name): figures[field] / CLOCK_MHZ
            for name, figures in paper.items()
            if parts_of(name) is not None and figures[field] is not None
        }
        head = f"Energy of one packet in the study's units: {what}"
        plots.append(_energy_plot(f"{head}, the study's library", blocks.by(operation, "time_us"), _STUDYS_CAPTION))
        plots.append(_energy_plot(f"{head}, Tatu", whole, _OWN_CAPTION))
    drawn = tuple(plot for plot in plots if plot is not None)
    return ExtraSection(title="Energy by algorithm (the study's figure 3)", plots=drawn) if drawn else None


def energy_two_ways(
    laboratory: Laboratory, observations: Sequence[Observation], paper: dict[str, dict[str, Any]]
) -> ExtraSection | None:
    duty = figures_of(observations, "duty").get("sealed")
    plain = paper.get("none")
    if duty is None or plain is None:
        return None
    parts = mean_currents_ma(laboratory, duty)
    mean_ma = sum(parts.values())
    packet_s = plain["packet_ms"] / 1000
    idle_ma = mean_ma - parts["radio sending"]
    air_ms = plain.get("air_ms", {})
    rows = [
        (
            "Idle for 10 s",
            f"{STUDY_VOLTS * STUDY_IDLE_UA * STUDY_IDLE_S / 3600:.2f} µWh (published 0.20)",
            f"{5 * idle_ma * STUDY_IDLE_S / 3600 * 1000:.0f} µWh",
        ),
        (
            "A packet of 16 bytes on the air",
            "0.480 s (published)",
            " and ".join(f"{time_ms / 1000:.3f} s at {int(rate) / 1000:g} kbit/s" for rate, time_ms in air_ms.items())
            or _NONE,
        ),
        (
            "Energy of a transmission",
            " and ".join(
                f"{STUDY_VOLTS * STUDY_SEND_UA * time_ms / 3600e3:.3f} µWh at {int(rate) / 1000:g} kbit/s"
                for rate, time_ms in air_ms.items()
            )
            + " (published 0.02)",
            f"{5 * E32_SEND_MA * duty['time_on_air_ms'] / 1000 / 3600 * 1000:.0f} µWh",
        ),
        (
            "Mean current",
            f"{(STUDY_IDLE_UA * STUDY_IDLE_S + STUDY_SEND_UA * packet_s) / (STUDY_IDLE_S + packet_s):.1f} µA",
            f"{mean_ma:.1f} mA",
        ),
        ("Life of a CR2032", f"{study_life_years(packet_s):.1f} years", f"{CELL_MAH / mean_ma:.0f} hours"),
        *((f"of it {name}", "", f"{value:.3g} mA, {value / mean_ma * 100:.2g} %") for name, value in parts.items()),
    ]
    return ExtraSection(
        title="Energy and battery life, two ways",
        paragraphs=(
            "On the left the study's formula, E = v i t with its 12 V, 6 µA and 14 µA, and our times. On the right a "
            "duty cycle: the "
            f"sealed link's sensor, a frame of 32 bytes every {PERIOD_S} s, shares of time counted by the simulator, "
            "currents of the data "
            "sheets at 5 V (ATmega328P 9.5 mA awake, 2.4 mA idle, 4.2 µA asleep; E32 110 mA sending, 4 µA asleep; "
            "DS3231 170 µA). "
            "The bare chips, without the Arduino's regulator, USB bridge and LED, which take more than all of these "
            "asleep.",
        ),
        columns=("", "The study's formula", "Duty cycle, data sheets"),
        rows=tuple(rows),
    )


def battery_by_algorithm(
    laboratory: Laboratory, observations: Sequence[Observation], paper: dict[str, dict[str, Any]]
) -> ExtraSection | None:
    """By algorithm, sender and receiver, in the study's reckoning and in a correct one."""
    duty = figures_of(observations, "duty").get("sealed")
    if duty is None or "gateway_shares" not in duty or not paper:
        return None
    receive_ma = as_assumed(ASSUMPTIONS)["receive_ma"]
    currents = {
        "sender": sum(mean_currents_ma(laboratory, duty).values()),
        "receiver": sum(receiver_currents_ma(laboratory, duty, receive_ma).values()),
    }
    rows = []
    for name, figures in paper.items():
        cells = [title(name) if name != "none" else "no cipher"]
        for device, key in (("sender", "encrypt_cycles"), ("receiver", "decrypt_cycles")):
            if figures[key] is None:
                time_us, share = study_time_us(STUDY_YEARS[device]), 1.0
            else:
                time_us = figures[key] / CLOCK_MHZ
                share = study_share(STUDY_YEARS[device], time_us)
            part = 0.0 if figures[key] is None else crypto_part(laboratory, time_us, PERIOD_S, currents[device])
            energy_pwh = study_pwh(time_us)
            cells += [
                f"{number(round(time_us, 1))}",
                f"{energy_pwh:.1f}",
                f"{STUDY_YEARS[device] * share / 1e6:.0f} ({share * 100:.1f} %)",
                f"{CELL_MAH / currents[device] * (1 - part):.1f} ({(1 - part) * 100:.3f} %)",
            ]
        rows.append(tuple(cells))
    heads = [
        f"{device}, {what}"
        for device in ("Sender", "Receiver")
        for what in ("µs", "pWh by its volts and amperes", "million years by its reckoning", "hours, correct")
    ]
    return ExtraSection(
        title="Battery life by algorithm",
        paragraphs=(
            "In the study's reckoning the cell feeds so many events of a time t at 12 V and 6 µA, and their number is "
            f"read as hours: {study_time_us(STUDY_YEARS['sender']):.2f} µs and "
            f"{study_time_us(STUDY_YEARS['receiver']):.2f} µs give its 578 and 786 million years. With a cipher t is "
            "the cipher's time: 162.4 µs leave 4.1 % of the sender's life, which it prints as 0.04 %, and 569 µs "
            "1.2 %, printed as 0.01 %. Correct: the cell over the mean current of data sheets, one packet every "
            f"{PERIOD_S} s; {currents['sender']:.1f} mA (sender) and {currents['receiver']:.1f} mA (receiver, whose "
            f"radio always receives at {receive_ma:g} mA).",
        ),
        columns=("Cipher", *heads),
        rows=tuple(rows),
    )


def integrity_by_packet(laboratory: Laboratory, observations: Sequence[Observation]) -> ExtraSection | None:
    """What the study wanted besides secrecy: for each packet, air time included."""
    air = figures_of(observations, "air").get("time on air, ms")
    packets = figures_of(observations, PACKET_KIND)
    if air is None or not packets:
        return None
    rows = []
    for one in PROTECTIONS:
        figures = packets.get(one.name)
        if figures is None:
            continue
        time_us = figures["seal_cycles"] / CLOCK_MHZ
        air_ms = [air[str(rate)][str(one.sent_bytes)] for rate in (2400, 1200)]
        rows.append(
            (
                one.title,
                str(one.sent_bytes),
                number(figures["seal_cycles"]),
                f"{time_us / 1000:.2f}",
                *(f"{time_ms:.0f}" for time_ms in air_ms),
                f"{energy_uj_of(laboratory, time_us) / 3600:.3f}",
                f"{5 * E32_SEND_MA * air_ms[0] / 3600:.0f}",
                number(figures["flash_bytes"]),
                number(figures["ram_static_bytes"] + figures["seal_stack_bytes"]),
                one.notices_changes,
                one.equal_readings_differ,
            )
        )
    return ExtraSection(
        title="Integrity, for each packet",
        paragraphs=(
            "A reading of 16 bytes, protected by a program of Tatu that does nothing else; a call of `seal`, counted "
            "exactly, key schedule before it. CBC makes its IV with a seeded generator in the call, without padding. "
            "HMAC covers IV and ciphertext. The air takes dozens to thousands of times as long as any of these, so "
            "that bytes decide, not cycles. Flash and RAM are of the whole program, stack of the call included.",
        ),
        columns=(
            "Protection",
            "Bytes sent",
            "Cycles",
            "ms",
            "On the air at 2.4 kbit/s, ms",
            "At 1.2 kbit/s, ms",
            "Energy of the processor, µWh",
            "Energy on the air, µWh",
            "Flash, B",
            "RAM, B",
            "Notices changes",
            "Equal readings differ",
        ),
        rows=tuple(rows),
    )
