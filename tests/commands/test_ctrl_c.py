"""Ctrl-C ends every command with one line and the same exit status, also while its modules are imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from bancada.campaign import interrupt
from bancada.catalogue.paths import data_root
from bancada.commands import command_line

pytestmark = pytest.mark.quick

_STOPPED = "bancada: stopped; every finished case is stored, the same command resumes.\n"


def _console_script() -> list[str]:
    """What an installer makes of the entry point `bancada`."""
    project = tomllib.loads((data_root() / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, function = project["project"]["scripts"]["bancada"].partition(":")
    return [sys.executable, "-c", f"import sys; from {module} import {function}; sys.exit({function}())"]


_WAYS = {"script": _console_script(), "module": [sys.executable, "-m", "bancada"]}

# What stands in the place of the library of the command line, which is imported first.
_SLOW = """
import pathlib, time
pathlib.Path({here!r}).touch()
time.sleep(60)
"""
_SLOW_AND_TAKES_IT_FOR_SOMETHING_ELSE = """
import pathlib, time
pathlib.Path({here!r}).touch()
try:
    time.sleep(60)
except KeyboardInterrupt:
    raise ImportError("half of it is missing")
"""
# Python notes it, and would end itself by the signal.
_IN_TEXT = """
import pathlib, time
exec("pathlib.Path({here!r}).touch(); time.sleep(60)")
"""
# Python drops what a finaliser raises.
_DROPS_IT = """
import pathlib, time
class Finalised:
    def __del__(self):
        pathlib.Path({here!r}).touch()
        time.sleep(60)
Finalised()
time.sleep(60)
"""


def _interrupted(command: list[str], slow: str, folder: Path, **environment: str) -> tuple[int, str]:
    """The exit status and the standard error of a command that Ctrl-C meets while it imports `slow`."""
    here = folder / "here"
    (folder / "click.py").write_text(slow.format(here=str(here)))
    searched = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    process = subprocess.Popen(
        [*command, "export"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": searched, **environment},
    )
    while process.poll() is None and not here.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    "slow",
    [_SLOW, _SLOW_AND_TAKES_IT_FOR_SOMETHING_ELSE, _IN_TEXT, _DROPS_IT],
    ids=["slow", "other error", "in text", "dropped"],
)
def test_ctrl_c_during_an_import(tmp_path: Path, way: str, slow: str) -> None:
    assert _interrupted(_WAYS[way], slow, tmp_path) == (130, _STOPPED)


def test_ctrl_c_during_an_import_in_portuguese(tmp_path: Path) -> None:
    status, said = _interrupted(_WAYS["module"], _SLOW, tmp_path, LC_ALL="pt_BR.UTF-8")
    assert status == 130
    assert said == "bancada: interrompido; todo caso terminado está guardado, o mesmo comando continua.\n"


def test_a_failure_after_ctrl_c_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C stops the compilers that a command runs, too."""
    interrupt._requested.set()
    try:
        with pytest.raises(KeyboardInterrupt):
            command_line._fail("avr-gcc failed.", 2)
    finally:
        interrupt._requested.clear()
    assert capsys.readouterr() == ("", "")


def test_what_python_drops_and_is_not_ctrl_c_is_still_said() -> None:
    program = "from bancada.campaign import interrupt\ninterrupt.listen()\nclass F:\n def __del__(self): 1 / 0\nF()\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "ZeroDivisionError" in done.stderr
