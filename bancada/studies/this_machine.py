"""The machine on which the laboratory runs, as an observation names it."""

from __future__ import annotations

import os
from pathlib import Path


def processor() -> str:
    """What /proc/cpuinfo calls this machine's processor."""
    for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model"):
            return f"{value.strip()}, {os.cpu_count()} processors"
    return f"unnamed, {os.cpu_count()} processors"
