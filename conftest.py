"""Which tests are quick: those whose module says `pytestmark = pytest.mark.quick`. Every other has the mark `tools`.
Those with the mark `long` come first.

A quick test needs no compiler, no emulator and no service. It may start Python, and nothing else: this is held here, so
that `make quick` stays the loop of a minute on a machine without any of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

# Tests read what is said in English, whatever the locale of the machine.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)
from hypothesis import HealthCheck, settings

# Property tests take the same examples in every run, so that a test that fails once fails again. They have no time
# limit: on a busy machine any example can take long.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=(HealthCheck.too_slow,))
settings.load_profile("repeatable")

_MAY_START = ("python", "git", "sh", "setup.sh")
_is_quick = False


def _refuse_tools(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "subprocess.Popen" or not _is_quick:
        return
    program, command = arguments[0], arguments[1]
    started = os.path.basename(os.fsdecode(program or command[0]))
    if not started.startswith(_MAY_START):
        raise AssertionError(f"a quick test starts {started}; its module must not be marked as quick")


sys.addaudithook(_refuse_tools)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.tools)
    # A long file that comes last keeps one core busy while the others have nothing left to do.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global _is_quick
    _is_quick = item.get_closest_marker("quick") is not None
    try:
        return (yield)
    finally:
        _is_quick = False
