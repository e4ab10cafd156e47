"""The program that follows secrets: its rules, and that it counts as the engine does."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

from bancada import catalogue
from bancada.audit.audit import chosen_firmwares
from bancada.audit.secret_calls import SecretCalls
from bancada.build import build
from bancada.engines.simavr import SimavrSession, secret_follower
from bancada.monitor import Monitor
from bancada.paths import cache_folder, data_root

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


def _cycles(program: Path | None, elf: str) -> list[int]:
    target = catalogue.targets()["uno"]
    (firmware,) = chosen_firmwares("tatu/aes128", "uno")
    with SimavrSession(target.mcu, target.clock_hz, elf, (), program) as session:
        monitor = Monitor(session)
        monitor.identify()
        calls = SecretCalls(monitor, firmware, "encrypt")
        source = random.Random(5)
        found = []
        for _ in range(3):
            calls.prepare(source)
            calls.call()
            found += [region.cycles for region in session.regions()]
    return found


def test_it_counts_the_cycles_that_the_engine_counts() -> None:
    (firmware,) = chosen_firmwares("tatu/aes128", "uno")
    elf = build(firmware).elf_path
    assert elf is not None
    assert _cycles(secret_follower(), elf) == _cycles(None, elf)
