"""Calls a compiler and ends it if it hangs."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress

# A question such as --version takes milliseconds; the slowest source of any candidate compiles in seconds.
QUESTION_LIMIT_S = 60.0
COMPILE_LIMIT_S = 600.0

# What a shell reports of a command that timeout(1) ended.
ENDED = 124


def called(command: list[str], limit_s: float = QUESTION_LIMIT_S) -> subprocess.CompletedProcess[str]:
    """The command's exit code and output. One that does not end in time is killed with the programs that it started.

    The exit code is then 124, and the last line of `stderr` says what did not end. OSError if it cannot be started.
    """
    # In a session of its own, because gcc starts cc1, which keeps the pipes open when gcc alone is killed.
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=limit_s)
        return subprocess.CompletedProcess(command, process.returncode, output, errors)
    except subprocess.TimeoutExpired:
        said = f"it did not end within {limit_s:g} s: {shlex.join(command)}"
        return subprocess.CompletedProcess(command, ENDED, "", said)
    finally:
        # Also when Ctrl-C interrupts the wait.
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
