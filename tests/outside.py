"""A metric and an export format as a user adds them: one file each, in a folder of BANCADA_PATH."""

from __future__ import annotations

from pathlib import Path

METRIC = '''"""Bytes of message for each second."""

from bancada.measure.metric import Facts, Figure, Metric
from bancada.measure.metrics.time import time_us


def _derive(facts: Facts) -> dict:
    time = time_us(facts)
    return {"throughput_bytes_per_s": facts.size_bytes / time * 1e6 if time else None}


METRIC = Metric(
    name="throughput",
    title="throughput",
    unit="B/s",
    definition="bytes of message over the time of one call",
    figures=(
        Figure("throughput_bytes_per_s", "throughput", "B/s", "Bytes of message over time."),
    ),
    derive=_derive,
    less_is_better=False,
    best="Most throughput",
    better="More throughput",
    worse="Less throughput",
    shown_in=frozenset({"table", "study", "plot"}),
)
'''
FORMAT = '''"""Case and throughput, a line each."""


def render(results, metrics):
    return "".join(f"{result.case}={metrics['throughput'].value(result)}\\n" for result in results)
'''


def add(folder: Path) -> Path:
    """Puts both in `folder`, which is for BANCADA_PATH."""
    for room, name, text in (("metrics", "throughput", METRIC), ("export", "speeds", FORMAT)):
        (folder / room).mkdir(parents=True, exist_ok=True)
        (folder / room / f"{name}.py").write_text(text)
    return folder
