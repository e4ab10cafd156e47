"""The whole experiment `sensor` on a board: measured on the bench's pseudo-terminal, or on your own with its port as
the argument, and held against the simulator, case for case. About ten minutes on the bench.

Usage: python tests/board/long_sensor.py [/dev/ttyACM0]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bancada.model.board import BOARD
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.store.store import Store
from tests.board_bench import Bench


def _run(path: str, *arguments: str) -> int:
    return subprocess.run(
        [sys.executable, "-m", "bancada", "run", "sensor", "--target", "uno", *arguments],
        env={**os.environ, "PATH": path},
    ).returncode


def main() -> int:
    """0 if every case ends on the board as it does in the simulator, and takes the same cycles."""
    with tempfile.TemporaryDirectory(prefix="bancada-board-") as folder:
        store = str(Path(folder) / "store.sqlite")
        bench = Bench(Path(folder) / "bench") if len(sys.argv) < 2 else None
        began = time.monotonic()
        with bench or nullcontext():
            status = _run(
                bench.path if bench else os.environ["PATH"],
                "--port",
                bench.port if bench else sys.argv[1],
                "--store",
                store,
            )
        took_s = time.monotonic() - began
        status = status or _run(os.environ["PATH"], "--store", store)
        results = Store(Path(store)).results("sensor")
    boards = {result.case.removeprefix(f"{BOARD}:"): result for result in results if result.engine == BOARD}
    counted = {result.case: result for result in results if result.engine != BOARD}

    def ending(result: Result) -> tuple[object, ...]:
        return result.status, result.cycles_min, result.cycles_median, result.cycles_max

    ok = [name for name, result in boards.items() if result.status is Status.OK]
    same = [name for name, result in boards.items() if name in counted and ending(result) == ending(counted[name])]
    written = f", flash written {bench.written} times" if bench else ""
    print(
        f"board: {len(boards)} cases in {took_s:.0f} s{written}; {len(ok)} ok, {len(same)} as in the simulator, to the"
        " cycle"
    )
    return status or int(not ok or len(same) != len(boards) or len(boards) != len(counted))


if __name__ == "__main__":
    sys.exit(main())
