"""A cluster of dask.distributed on this machine, for tests: a scheduler and workers, each a process of its own that can
be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

# The worker's own process, without the nanny that would start it again.
_WORKER = "from distributed.cli.dask_worker import main; main()"
_SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"


def _wait_for_line(process: subprocess.Popen[str], *words: str) -> str:
    """The first line on standard error that has all the words."""
    assert process.stderr is not None
    seen = []
    for line in process.stderr:
        seen.append(line)
        if all(word in line for word in words):
            return line
    raise AssertionError("".join(seen))


@dataclass
class Cluster:
    """A scheduler, and workers by their addresses."""

    folder: Path
    scheduler: subprocess.Popen[str] = field(init=False)
    address: str = field(init=False)
    workers: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scheduler = self._start(_SCHEDULER, "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = _wait_for_line(self.scheduler, "Scheduler at:").split()[-1]

    def _start(self, code: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        # Their output after the first lines is dropped: no one reads it, and a full pipe would stop them.
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=self.folder,
            env={**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info", **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def add(self, count: int = 1, **environment: str) -> None:
        """Workers of one thread, started at once and waited for."""
        arguments = (
            self.address,
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--local-directory",
            str(self.folder),
        )
        started = [self._start(_WORKER, *arguments, **environment) for _ in range(count)]
        for process in started:
            address = _wait_for_line(process, "Start worker at:").split()[-1]
            _wait_for_line(process, "Registered to:")
            self.workers[address] = process

    def kill(self, address: str) -> None:
        """As the kernel kills, without a word."""
        process = self.workers.pop(address)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def close(self) -> None:
        """Ends every process that was started."""
        for process in (*self.workers.values(), self.scheduler):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
