"""The command line as tests run it: in a process of its own, which need not import everything first."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What Python reads when it starts: a command for which one of these is another starts by itself.
_AT_THE_START = ("LANG", "LC_", "PYTHON")


def _at_the_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(_AT_THE_START)}


def _read(descriptor: int) -> str:
    with open(descriptor) as stream:
        return stream.read()


class CommandLine:
    """Runs commands one after the other (tests/command_server.py)."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            server = Path(__file__).with_name("command_server.py")
            command = [sys.executable, "-P", str(server), str(theirs.fileno())]
            # Its output is no terminal, as that of the commands is none.
            self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdout=subprocess.DEVNULL)

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], limit_s: float
    ) -> subprocess.CompletedProcess[str]:
        """As subprocess.run of `python -m bancada` with captured text. TimeoutExpired at the limit."""
        command = [sys.executable, "-m", "bancada", *arguments]
        if _at_the_start(environment) != _at_the_start(self._environment):
            return subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit_s, check=False
            )
        (output, their_output), (errors, their_errors) = os.pipe(), os.pipe()
        request = {"arguments": list(arguments), "folder": str(folder), "environment": dict(environment)}
        socket.send_fds(self._requests, [json.dumps(request).encode()], [their_output, their_errors])
        os.close(their_output)
        os.close(their_errors)
        with ThreadPoolExecutor(2) as readers:
            said = [readers.submit(_read, descriptor) for descriptor in (output, errors)]
            process = int(self._requests.recv(100))
            self._requests.settimeout(limit_s)
            try:
                code = int(self._requests.recv(100))
            except TimeoutError:
                os.kill(process, signal.SIGKILL)
                self._requests.settimeout(None)
                self._requests.recv(100)
                raise subprocess.TimeoutExpired(command, limit_s) from None
            self._requests.settimeout(None)
            return subprocess.CompletedProcess(command, code, said[0].result(), said[1].result())

    def close(self) -> None:
        """Ends the server."""
        self._requests.close()
        self._server.wait()
