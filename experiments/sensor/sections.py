"""What the study adds to the report, in the order in which it asks; here whole devices and what they rest on."""

from __future__ import annotations

import csv
from typing import Any

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.studies.assumption import as_assumed
from bancada.studies.observed import figures_of
from bancada.studies.study import Evidence

from .assumptions import ASSUMPTIONS
from .blocks import SRAM, studys_blocks
from .energy_sections import battery_by_algorithm, energy_plots, energy_two_ways, integrity_by_packet
from .figures import packet_ms
from .life import life_section
from .network_sections import gateway_and_server, several_sensors
from .observed import CLOCK_MHZ
from .whole_devices import least, title

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


def _alone(evidence: Evidence, operation: str) -> tuple[str, ...] | None:
    """The study's library without a program around it: the least of each column, all that tie."""
    blocks = studys_blocks(evidence)
    cells = []
    for field, unit in (("energy_uj", "µJ"), ("time_us", "µs"), (SRAM, "B"), ("flash_bytes", "B")):
        names, value = blocks.winners(operation, field)
        if not names:
            return None
        cells.append(f"{', '.join(names)} ({number(round(value, 1))} {unit})")
    return (*cells, _NONE)


def _table1(evidence: Evidence, paper: dict[str, dict[str, Any]]) -> ExtraSection | None:
    """The study's table 1 beside ours, throughput included."""
    if not paper:
        return None
    path = evidence.experiment.folder / "table1.csv"
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
        rows.append((direction, "whole programs with Tatu", *ours))
        alone = _alone(evidence, operation)
        if alone is not None:
            rows.append((direction, "the study's library alone", *alone))
    return ExtraSection(
        title="Table 1: the best algorithm by metric",
        paragraphs=(
            "Whole programs: the study's paper mode; energy follows time. The study's library alone: one block, key "
            "set before, compiled as by the Arduino IDE (-Os); what it adds to an empty program, radio and clock not "
            "included. Its SRAM is static RAM and context, as the Arduino IDE counts it. The study could not receive "
            "with Tiny variants: they are left out there.",
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


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """In the order in which the study asks."""
    observations = evidence.observations
    paper = figures_of(observations, "paper")
    found = (
        _table1(evidence, paper),
        _devices(paper) if paper else None,
        _sensitivity(paper),
        energy_two_ways(evidence.laboratory, observations, paper),
        energy_plots(evidence, paper),
        battery_by_algorithm(evidence.laboratory, observations, paper),
        life_section(evidence),
        integrity_by_packet(evidence.laboratory, observations),
        _margins() if paper else None,
        several_sensors(observations),
        gateway_and_server(observations),
    )
    return tuple(part for part in found if part is not None)
