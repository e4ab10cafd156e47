"""The runner's own Rust tests: every opcode is of the kind that GNU's disassembler gives it."""

from __future__ import annotations

import subprocess

from bancada.catalogue.paths import cache_folder
from bancada.engines.simavr.session import runner
from tests.engines.simavr.engine_bench import HERE


def test_the_runners_own_tests_pass() -> None:
    runner()  # its build leaves the dependencies compiled
    done = subprocess.run(
        ["cargo", "test", "--release", "--locked", "--target-dir", str(cache_folder() / "engines" / "simavr-build")]
        + ["--config", "profile.release.package.bancada-simavr.opt-level=0"],  # a quarter of the time
        cwd=HERE.parents[2] / "engines" / "simavr",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
