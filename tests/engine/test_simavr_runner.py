"""The runner's own Rust tests: every opcode is of the kind that GNU's disassembler gives it."""

from __future__ import annotations

import subprocess

from bancada.engines.simavr import runner
from bancada.paths import cache_folder

from engine_bench import HERE


def test_the_runners_own_tests_pass() -> None:
    runner()  # its build leaves the dependencies compiled
    done = subprocess.run(
        ["cargo", "test", "--release", "--locked", "--target-dir", str(cache_folder() / "engines" / "simavr-build")],
        cwd=HERE.parents[1] / "engines" / "simavr",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
