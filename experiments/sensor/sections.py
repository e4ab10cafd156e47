"""Sections: whole devices, energy, several sensors, and the throughput of gateway and server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.model.finding import Observation
from bancada.plan.laboratory import Laboratory
from bancada.studies.study import Evidence

from .energy import (
    CELL_MAH,
    E32_SEND_MA,
    STUDY_IDLE_S,
    STUDY_IDLE_UA,
    STUDY_SEND_UA,
    STUDY_VOLTS,
    mean_currents_ma,
    study_life_years,
)
from .observe import PERIOD_S, SCHEDULES
from .observed import CLOCK_MHZ, SCHEDULE_WORDS, figures_of

_TEN_THOUSAND_FRAMES_PER_S = 10_000 / 5


def _cipher_words(name: str) -> str:
    return "none" if name == "none" else name.replace("speck128-", "speck-").replace("aes", "aes-")


def _devices(paper: dict[str, dict[str, Any]]) -> ExtraSection:
    """Both whole firmwares, with and without each cipher."""
    plain = paper.get("none", {})
    rows = []
    for name, figures in paper.items():
        row = [_cipher_words(name)]
        for key in ("encrypt_cycles", "decrypt_cycles"):
            cycles = figures[key]
            row.append("–" if cycles is None else f"{number(round(cycles / CLOCK_MHZ, 1))}")
        for program in ("sensor", "gateway"):
            for key in ("flash_bytes", "ram_static_bytes"):
                value = figures[f"{program}_{key}"]
                more = value - plain.get(f"{program}_{key}", value)
                row.append(f"{number(value)}" + (f" ({more:+d})" if more else ""))
        row.append(f"{figures['packets_per_s']:.2f}")
        rows.append(tuple(row))
    return ExtraSection(
        title="Whole devices, as the study built them",
        paragraphs=(
            "Sensor and gateway in paper mode, which exists to reproduce the study and is not secure: 16 bytes in ECB, "
            "one packet after "
            "the other. The whole firmware of each in a cycle-exact simulator, radio, clock and air emulated. In "
            "parentheses: what the "
            "cipher adds to the firmware without one.",
        ),
        columns=(
            "Cipher",
            "Encrypt, µs",
            "Decrypt, µs",
            "Sensor flash, B",
            "Sensor RAM, B",
            "Gateway flash, B",
            "Gateway RAM, B",
            "Packets/s",
        ),
        rows=tuple(rows),
    )


def _energy(
    laboratory: Laboratory, observations: Sequence[Observation], paper: dict[str, dict[str, Any]]
) -> ExtraSection | None:
    duty = figures_of(observations, "duty").get("sealed")
    plain = paper.get("none")
    if duty is None or plain is None:
        return None
    parts = mean_currents_ma(laboratory, duty)
    mean_ma = sum(parts.values())
    packet_s = plain["packet_ms"] / 1000
    rows = [
        (
            "Energy of a transmission",
            f"{STUDY_VOLTS * STUDY_SEND_UA * packet_s / 3600:.3f} µWh (published 0.02)",
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


def _delivery(observations: Sequence[Observation]) -> ExtraSection | None:
    delivery = figures_of(observations, "delivery")
    series = []
    rows = []
    for place, schedule in enumerate(SCHEDULES):
        found = sorted(
            (figures for name, figures in delivery.items() if name.startswith(f"{schedule} ")),
            key=lambda figures: figures["sensors"],
        )
        points = tuple((float(f["sensors"]), f["delivered_part"]) for f in found if f["delivered_part"] is not None)
        if not points:
            continue
        series.append(Series(SCHEDULE_WORDS[schedule], points, colour=place))
        theory = tuple(
            (float(f["sensors"]), f["delivered_part_in_theory"])
            for f in found
            if f["delivered_part_in_theory"] is not None
        )
        if schedule == "free" and theory:
            series.append(Series("theory without agreement", theory, marked=False, dashed=True, colour=7))
        for f in found:
            theory_text = (
                "–" if f["delivered_part_in_theory"] is None else f"{f['delivered_part_in_theory'] * 100:.1f} %"
            )
            rows.append(
                (
                    SCHEDULE_WORDS[schedule],
                    number(f["sensors"]),
                    number(f["sent"]),
                    f"{f['delivered_part'] * 100:.1f} %",
                    theory_text,
                    number(f["firmware_sensors"]),
                )
            )
    if not series:
        return None
    plot = XYPlot(
        "Delivery against the number of sensors",
        "sensors on one channel",
        "packets delivered, part",
        tuple(series),
        f"Exact counts on a simulated air: frames of 32 bytes at 2.4 kbit/s (370 ms), every {PERIOD_S} s, ten minutes. "
        "Theory: pure ALOHA "
        "without capture.",
        x_logarithmic=True,
        x_ticks_measured=True,
        y_logarithmic=False,
    )
    return ExtraSection(
        title="Several sensors",
        plots=(plot,),
        columns=("Schedule", "Sensors", "Sent", "Delivered", "In theory", "Of them firmware; the rest a timing model"),
        rows=tuple(rows),
    )


def _gateway_and_server(observations: Sequence[Observation]) -> ExtraSection | None:
    found = next((observation for observation in observations if observation.kind == "throughput"), None)
    if found is None:
        return None
    figures, parameters = found.figures, found.parameters
    frames = figures["frames"]
    rows = []
    for name, key, program in (
        ("Gateway daemon: in its outbox, on disk", "outbox_s", "gateway"),
        ("Server: verified and in the database", "database_s", "server"),
    ):
        least_s, most_s = figures[f"{key}_least_and_most"]
        rate, cpu_s = figures[f"{program}_frames_per_s"], figures[f"{program}_cpu_s"]
        rows.append(
            (
                name,
                f"{figures[key]:.2f} ({least_s:.2f} to {most_s:.2f})",
                number(round(rate)),
                f"{rate / _TEN_THOUSAND_FRAMES_PER_S:.1f}",
                f"{cpu_s:.2f}",
                f"{cpu_s / frames * 1e6:.1f}",
            )
        )
    return ExtraSection(
        title="Throughput of gateway and server",
        paragraphs=(
            f"Measured on this machine ({parameters['processor']}; load {parameters['load_average_before']:.1f} "
            f"before) on {found.date[:10]}, the middle of {parameters['runs']} runs: "
            f"{number(frames)} sealed frames of {number(parameters['sensors'])} sensors, recorded beforehand, read by "
            "the gateway daemon as fast as it can, "
            f"sent through mosquitto (TLS) to the server, which verifies and stores them in {parameters['database']}. "
            "All three share the "
            "machine. Seconds are from the daemon's start, processor seconds those of the program's whole life. "
            f"{number(figures['lost'])} frames were lost, {number(figures['refused'])} refused, in all runs together. "
            f"Ten thousand sensors that send every 5 s are {number(_TEN_THOUSAND_FRAMES_PER_S)} frames/s. These are "
            "this machine's figures, not a Raspberry Pi's.",
        ),
        columns=("", "Seconds", "Frames/s", "Times ten thousand sensors", "Processor, s", "Processor, µs/frame"),
        rows=tuple(rows),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """In the order in which the study asks."""
    observations = evidence.observations
    paper = figures_of(observations, "paper")
    found = (
        _devices(paper) if paper else None,
        _energy(evidence.laboratory, observations, paper),
        _delivery(observations),
        _gateway_and_server(observations),
    )
    return tuple(part for part in found if part is not None)
