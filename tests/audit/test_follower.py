"""The program that follows secrets: its rules, and that it counts as the engine does."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

from bancada.audit.audit import chosen_firmwares, place_of
from bancada.audit.secret_calls import secret_calls
from bancada.build.build import build
from bancada.catalogue.paths import cache_folder, data_root
from bancada.engines.simavr.session import SimavrSession, secret_follower
from bancada.measure.laboratory import open_laboratory
from bancada.monitor.monitor import Monitor
from bancada.plan.case import Firmware

CRATE = data_root() / "engines" / "simavr" / "audit"


def test_the_rules_hold_against_the_simulator() -> None:
    """The crate's own tests: each instruction, executed from two states that differ in tainted bits alone."""
    target = cache_folder() / "engines" / "simavr-build"
    done = subprocess.run(
        ["cargo", "test", "--release", "--locked", "--quiet", "--target-dir", str(target)],
        cwd=CRATE,
        env={**os.environ, "CARGO_TERM_COLOR": "never"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout


def _firmware() -> Firmware:
    laboratory = open_laboratory()
    place = place_of(laboratory, "uno")
    (firmware,) = chosen_firmwares(laboratory, laboratory.candidate("tatu"), place, "tatu/aes128")
    return firmware


def _cycles(program: Path | None, elf: str) -> list[int]:
    target = open_laboratory().targets["uno"]
    firmware = _firmware()
    with SimavrSession(target.mcu, target.clock_hz, elf, (), program) as session:
        monitor = Monitor(session)
        monitor.identify()
        calls = secret_calls(monitor, firmware, "encrypt")
        source = random.Random(5)
        found = []
        for _ in range(3):
            calls.prepare(source)
            calls.call()
            found += [region.cycles for region in session.regions()]
    return found


def test_it_counts_the_cycles_that_the_engine_counts() -> None:
    firmware = _firmware()
    elf = build(firmware).elf_path
    assert elf is not None
    assert _cycles(secret_follower(), elf) == _cycles(None, elf)
