"""What the firmware reads from outside, fuzzed: EEPROM, clock, frames, the module's answers, received bytes.

LINK_TEST_FUZZ_SECONDS says how long; without it, a number of runs that takes a few seconds.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from firmware_fuzz import build, make_corpus

RUNS = 25_000


def test_nothing_from_outside_breaks_the_firmware(tmp_path: Path) -> None:
    program = build(tmp_path)
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    seconds = os.environ.get("LINK_TEST_FUZZ_SECONDS")
    limit = f"-max_total_time={int(seconds)}" if seconds else f"-runs={RUNS}"
    done = subprocess.run(
        [str(program), "-seed=1", "-max_len=700", "-verbosity=0", limit, f"-artifact_prefix={tmp_path}/", str(corpus)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
