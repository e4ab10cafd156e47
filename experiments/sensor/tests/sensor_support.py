"""Planted observations and results of the study `sensor`, and what is concluded from them."""

from __future__ import annotations

import dataclasses
from typing import Any

from bancada.answers.report.input import ExtraSection
from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Finding, Observation
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
from bancada.studies.found import study_of
from bancada.studies.study import Evidence
from bancada.studies.within_bands import findings_of
from experiments.sensor.throughput import NAME
from tests.example_results import result as example

LABORATORY = open_laboratory()
EXPERIMENT = LABORATORY.experiments["sensor"]
STUDY = study_of(EXPERIMENT)


def findings_of_study(results: list[Result], observations: list[Observation]) -> tuple[Finding, ...]:
    return findings_of(STUDY, Evidence(LABORATORY, EXPERIMENT, results, observations))


def sections_of(observations: list[Observation]) -> tuple[ExtraSection, ...]:
    return STUDY.sections(Evidence(LABORATORY, EXPERIMENT, [], observations))


def observation(kind: str, name: str, figures: dict[str, Any], **parameters: Any) -> Observation:
    fidelity = Fidelity.MEASURED if kind == "throughput" else Fidelity.EXACT
    return Observation(kind, name, fidelity, parameters, figures, "2026-11-21T07:00:00+00:00")


def paper(name: str, packets_per_s: float, cycles: int | None = 8000) -> Observation:
    """A cipher on both devices, which are ready after 100 and 90 ms; with a cipher programs have 1,000 and 500 bytes
    more.
    """
    more = 0 if name == "none" else 1
    return observation(
        "paper",
        name,
        {
            "packets_per_s": packets_per_s,
            "packets_per_s_in_theory": 3.5,
            "packet_ms": 1000 / packets_per_s,
            "line_ms": 19.8,
            "air_ms": {"2400": 246.8, "1200": 493.6},
            "delivered_part": 1.0,
            "sensor_ready_ms": 100.0,
            "gateway_ready_ms": 90.0,
            "encrypt_cycles": cycles,
            "decrypt_cycles": cycles,
            "sensor_set_key_cycles": cycles,
            "gateway_set_key_cycles": cycles,
            "sensor_flash_bytes": 10_000 + 1000 * more,
            "sensor_ram_static_bytes": 500,
            "gateway_flash_bytes": 8000 + 500 * more,
            "gateway_ram_static_bytes": 400,
        },
    )


def duty() -> Observation:
    shares = {"awake": 0.1, "idle": 0.2, "power-down": 0.7}
    figures = {
        "shares": shares,
        "gateway_shares": {"awake": 0.02, "idle": 0.98},
        "transmitting_share": 0.5,
        "seal_share": 0.01,
        "seal_cycles": 32_000,
        "packets": 60,
        "time_on_air_ms": 360.0,
    }
    return observation("duty", "sealed", figures, period_s=5)


def delivery(
    schedule: str, sensors: int, part: float, in_theory: float | None, parts: tuple[float, ...] = ()
) -> Observation:
    figures = {
        "delivered_parts": list(parts or (part, part)),
        "gateway_awake_part": 0.02,
        "gateway_awake_parts": [0.01, 0.03],
        "latency_means_ms": [40.0, 50.0],
        "latency_median_ms": 45.0,
        "latency_most_ms": 60.0,
        "sensors": sensors,
        "sent": 1000,
        "delivered": round(1000 * part),
        "delivered_part": part,
        "delivered_part_in_theory": in_theory,
        "packets_per_s": 1.0,
        "firmware_sensors": min(2, sensors),
    }
    return observation("delivery", f"{schedule} {sensors}", figures, schedule=schedule)


def packet(name: str, cycles: int) -> Observation:
    """A protected reading; packets.py has the names."""
    figures = {"seal_cycles": cycles, "seal_stack_bytes": 100, "flash_bytes": 4000, "ram_static_bytes": 300}
    return observation("packet", name, figures)


def air() -> Observation:
    """Times on the air by rate and bytes: ten milliseconds a byte, and twice that."""
    figures = {str(rate): {str(size): size * ms for size in (16, 32, 48)} for rate, ms in ((2400, 10.0), (1200, 20.0))}
    return observation("air", "time on air, ms", figures)


def gateway_and_server(lost: int = 0) -> Observation:
    """The outbox has everything after 3 s, the database after 12 s."""
    figures = {
        "frames": 60_000,
        "outbox_s": 3.0,
        "database_s": 12.0,
        "outbox_s_least_and_most": [2.0, 3.5],
        "database_s_least_and_most": [11.0, 12.5],
        "gateway_frames_per_s": 20_000.0,
        "server_frames_per_s": 5000.0,
        "gateway_cpu_s": 0.6,
        "server_cpu_s": 2.4,
        "broker_cpu_s": 0.1,
        "lost": lost,
        "refused": 0,
    }
    return observation(
        "throughput",
        NAME,
        figures,
        sensors=1000,
        frames=60_000,
        runs=3,
        database="SQLite",
        processor="Example CPU 9000",
        load_average_before=0.5,
    )


def block(algorithm: str, variant: str, operation: str, time_us: float, bits: int = 128) -> Result:
    return dataclasses.replace(
        example(),
        algorithm=algorithm,
        variant=variant,
        operation=operation,
        key_bits=bits,
        time_us=time_us,
        status=Status.OK,
    )


def finding(claim: str, results: list[Result], observations: list[Observation]) -> Finding:
    return next(found for found in findings_of_study(results, observations) if claim in found.claim)
