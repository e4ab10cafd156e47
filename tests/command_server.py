"""A process that has imported the command line, and divides itself for each command that it is asked for.

A command that starts by itself imports a second's work first, and tests ask hundreds of them. Run by
tests/command_line.py, with the number of the socket that requests come by.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import bancada.commands
import bancada.engines
import bancada.primitives


def _import_commands() -> None:
    """Modules are imported and nothing is called: what depends on the environment is each command's own."""
    for package in (bancada.commands, bancada.engines, bancada.primitives):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    # Algorithms lie in folders that are no package.
    (root,) = bancada.primitives.__path__
    for file in sorted(Path(root).glob("*/algorithms/*/__init__.py")):
        import_module(".".join((bancada.primitives.__name__, *file.parent.relative_to(root).parts)))


def _become(request: dict[str, object], output: int, errors: int) -> None:
    """This process is the command from now on: `python -m bancada`, in its folder and with its environment."""
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.close(output)
    os.close(errors)
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    os.chdir(str(request["folder"]))
    sys.path.insert(0, str(request["folder"]))
    sys.argv = ["bancada", *request["arguments"]]  # type: ignore[misc]
    runpy.run_module("bancada", run_name="__main__", alter_sys=True)


def serve(requests: socket.socket) -> None:
    """Answers each request with the number of the command's process, and then with its exit code."""
    _import_commands()
    while True:
        text, (*descriptors,), _, _ = socket.recv_fds(requests, 1 << 20, 2)
        if not text:
            return
        command = os.fork()
        if command == 0:
            requests.close()
            _become(json.loads(text), *descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(str(command).encode())
        _, status = os.waitpid(command, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
