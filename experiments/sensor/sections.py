"""Sections: whole devices, energy, several sensors, and the throughput of gateway and server."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.experiment import Experiment
from bancada.model.finding import Observation
from bancada.plan.laboratory import Laboratory
from bancada.studies.assumption import as_assumed
from bancada.studies.study import Evidence

from .assumptions import ASSUMPTIONS
from .energy import (
    CELL_MAH,
    E32_SEND_MA,
    STUDY_IDLE_S,
    STUDY_IDLE_UA,
    STUDY_SEND_UA,
    STUDY_VOLTS,
    STUDY_YEARS,
    crypto_part,
    mean_currents_ma,
    receiver_currents_ma,
    study_life_years,
    study_share,
    study_time_us,
)
from .figures import half_width, packet_ms
from .observe import PERIOD_S, SCHEDULES
from .observed import CLOCK_MHZ, SCHEDULE_WORDS, figures_of
from .whole_devices import least, title

_TEN_THOUSAND_FRAMES_PER_S = 10_000 / 5
_TABLE1 = ("energy", "time", "sram", "flash", "throughput")
_RADIO = ("air_rate", "wait_ms", "aux_at_end")
_STUDY_RATE = 3.4
_NONE = "–"


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


def _table1(experiment: Experiment, paper: dict[str, dict[str, Any]]) -> ExtraSection | None:
    """The study's table 1 beside ours, throughput included."""
    if not paper:
        return None
    path = experiment.folder / "table1.csv"
    rows = []
    with path.open(newline="", encoding="utf-8") as file:
        published = {row["direction"]: row for row in csv.DictReader(file)}
    rates = [figures["packets_per_s"] for figures in paper.values() if figures["packets_per_s"]]
    tie = f"tie: {min(rates):.2f} to {max(rates):.2f} packets/s" if rates else _NONE
    for direction, device, operation in (("sending", "sensor", "encrypt"), ("receiving", "gateway", "decrypt")):
        theirs = published[direction]
        cycles = {title(name): one[f"{operation}_cycles"] for name, one in paper.items() if one[f"{operation}_cycles"]}
        quickest = min(cycles, key=lambda name: cycles[name]) if cycles else _NONE
        memory = [least(paper, device, field) for field in ("ram_static_bytes", "flash_bytes")]
        ours = (
            quickest,
            f"{quickest} ({number(round(cycles[quickest] / CLOCK_MHZ, 1))} µs)" if cycles else _NONE,
            *(f"{', '.join(names)} ({number(value)} B)" for names, value in memory),
            tie,
        )
        rows.append((direction, "published", *(theirs[name] for name in _TABLE1)))
        rows.append((direction, "ours", *ours))
    return ExtraSection(
        title="Table 1: the best algorithm by metric",
        paragraphs=(
            "Ours are whole programs with Tatu, in the study's paper mode; energy follows time. The study could not "
            "receive with Tiny variants: they are left out there.",
        ),
        columns=("", "", "Energy", "Time", "SRAM", "Flash", "Throughput"),
        rows=tuple(rows),
    )


def _sensitivity(paper: dict[str, dict[str, Any]]) -> ExtraSection | None:
    """Each assumption of the radio alone, beside 3.40 packets/s."""
    plain = paper.get("none")
    if plain is None or "air_ms" not in plain:
        return None
    central = as_assumed(ASSUMPTIONS)
    cases = [("as assumed", central)]
    cases += [
        (one.at(value), {**central, one.name: value}) for one in ASSUMPTIONS if one.name in _RADIO for value in one.ends
    ]
    rows = []
    for name, assumed in cases:
        time_ms = packet_ms(plain, assumed)
        if time_ms is not None:
            rows.append((name, f"{time_ms:.1f}", f"{1000 / time_ms:.2f}", f"{1000 / time_ms / _STUDY_RATE:.2f}"))
    check = next(one for one in ASSUMPTIONS if one.name == "self_check_ms")
    for value in (check.value, *check.ends):
        ready = [plain[f"{device}_ready_ms"] for device in ("sensor", "gateway")]
        if all(ready):
            times = " and ".join(f"{one + value - check.value:.0f}" for one in ready)
            rows.append((check.at(value), f"ready after {times} (published 104 and 100)", _NONE, _NONE))
    return ExtraSection(
        title="What 3.4 packets/s rests on",
        paragraphs=(
            "The first row is simulated; each other row changes one assumption, by arithmetic on it.",
            *(f"{one.said[:1].upper()}{one.said[1:]}. {one.why}" for one in ASSUMPTIONS),
        ),
        columns=("Assumption", "A packet, ms", "Packets/s", "Over the published 3.4"),
        rows=tuple(rows),
    )


def _battery(
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
            energy_pwh = STUDY_VOLTS * STUDY_SEND_UA * time_us / 3600
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


def _integrity(observations: Sequence[Observation]) -> ExtraSection | None:
    """What the study wanted besides secrecy: for each packet, air time included."""
    air = figures_of(observations, "air").get("time on air, ms")
    paper = figures_of(observations, "paper")
    if air is None or "aes128" not in paper:
        return None
    ecb = paper["aes128"]["encrypt_cycles"]
    sealed = {
        one.parameters["algorithm"]: one.figures["seal_cycles"]
        for one in observations
        if one.kind == "duty" and "algorithm" in one.parameters
    }
    offers: list[tuple[str, int, float | None, str, str]] = [
        ("AES-128 in ECB, as published", 16, ecb, "no", "no: equal readings look equal"),
        ("AES-128 in CBC, fresh IV", 32, ecb, "no", "yes"),
        *((name, 32, cycles, "yes", "yes") for name, cycles in sealed.items()),
        ("AES-128 in CBC, fresh IV, and a hash-based tag of 16", 48, None, "yes", "yes"),
    ]
    rows = []
    for name, size, cycles, integrity, secrecy in offers:
        times = [air[str(rate)][str(size)] for rate in (2400, 1200)]
        rows.append(
            (
                name,
                str(size),
                "not measured here" if cycles is None else number(round(cycles)),
                "–" if cycles is None else f"{cycles / CLOCK_MHZ / 1000:.2f}",
                *(f"{time_ms:.0f}" for time_ms in times),
                f"{5 * E32_SEND_MA * times[0] / 3600:.0f}",
                integrity,
                secrecy,
            )
        )
    return ExtraSection(
        title="Integrity, for each packet",
        paragraphs=(
            "A reading of 16 bytes. Ascon and CCM as the sealed link sends them: header of 8, tag of 8; cycles are of "
            "the whole sealing in the firmware. CBC is an IV and one block, without padding; making the IV is not "
            "counted. The air takes hundreds of times as long as any of these, so that bytes decide, not cycles.",
        ),
        columns=(
            "Protection",
            "Bytes sent",
            "Cycles",
            "ms",
            "On the air at 2.4 kbit/s, ms",
            "At 1.2 kbit/s, ms",
            "Energy on the air, µWh",
            "Notices changes",
            "Equal readings differ",
        ),
        rows=tuple(rows),
    )


def _margins() -> ExtraSection:
    """As the study cites them; nothing is measured here."""
    return ExtraSection(
        title="Security margins, as the study cites them",
        paragraphs=(
            "AES-256: none left over, since bicliques reach all 14 rounds (Bogdanov et al. 2011). That attack takes "
            "about 2^254.4 encryptions instead of 2^256: it is no break in practice. Speck: 26 % (Song et al. 2016), "
            "which is 25 of 34 rounds of Speck128/256 reached, and 9 left. The two numbers count different things.",
        ),
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


def _error(figures: dict[str, Any]) -> str:
    error = half_width(figures.get("delivered_parts", ()))
    return "" if error is None else f" ± {error * 100:.1f}"


def _latency(figures: dict[str, Any]) -> str:
    middle, most = figures.get("latency_median_ms"), figures.get("latency_most_ms")
    return _NONE if middle is None or most is None else f"{middle:.0f}, {most:.0f}"


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
        # One series for each point, since each has whiskers of its own.
        series += [
            Series(
                "",
                ((float(f["sensors"]), f["delivered_part"]),),
                marked=False,
                colour=place,
                band_percent=100 * error / f["delivered_part"],
            )
            for f in found
            if f["delivered_part"] and (error := half_width(f.get("delivered_parts", ())))
        ]
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
                    f"{f['delivered_part'] * 100:.1f} %{_error(f)}",
                    theory_text,
                    f"{f['gateway_awake_part'] * 100:.1f} %" if "gateway_awake_part" in f else _NONE,
                    _latency(f),
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
        f"Modelled: a sample of random phases on a simulated air, frames of 32 bytes at 2.4 kbit/s (370 ms), every "
        f"{PERIOD_S} s, ten minutes in all; whiskers: 95 % of the mean. Theory: pure ALOHA without capture.",
        x_logarithmic=True,
        x_ticks_measured=True,
        y_logarithmic=False,
    )
    return ExtraSection(
        title="Several sensors",
        plots=(plot,),
        columns=(
            "Schedule",
            "Sensors",
            "Sent",
            "Delivered",
            "In theory",
            "Gateway's Arduino awake",
            "Latency to its serial port, ms: median, most",
            "Of them firmware; the rest a timing model",
        ),
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
        _table1(evidence.experiment, paper),
        _devices(paper) if paper else None,
        _sensitivity(paper),
        _energy(evidence.laboratory, observations, paper),
        _battery(evidence.laboratory, observations, paper),
        _integrity(observations),
        _margins() if paper else None,
        _delivery(observations),
        _gateway_and_server(observations),
    )
    return tuple(part for part in found if part is not None)
