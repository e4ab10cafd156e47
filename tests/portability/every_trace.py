"""Compares the traces of Tatu for other secrets on 20 builds (`make test-traces`): every core, with assembly and
without, and other levels of optimisation. Prints a line for each; ends with 1 if one is wrong."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.portability.traces import PLANTED_BRANCH, PLANTED_LOOK_UP, differing, traces
from tests.tatu.machines import BIG_ENDIAN, CORES, CORTEX_A8_ARM, CORTEX_M0_PLUS, EVERY, Machine

LEVELS = ("-O1", "-O3")


def _builds() -> list[Machine]:
    levels = [
        one.named(f"{one.name}{level}", level)
        for one in (CORTEX_M0_PLUS, CORTEX_A8_ARM, BIG_ENDIAN)
        for level in LEVELS
    ]
    return [*EVERY, *(one.in_c() for one in CORES), *levels]


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for build in _builds():
            start = time.monotonic()
            depends = differing(traces(build, Path(folder)))
            is_right = depends == {PLANTED_BRANCH, PLANTED_LOOK_UP}
            verdict = "only what is planted depends on a secret" if is_right else f"WRONG: {sorted(depends)}"
            print(f"{build.name}: {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
            wrong += not is_right
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
