"""Copies of the key that the firmware makes are gone when it has used them."""

from __future__ import annotations

import ctypes
import random
import re
from pathlib import Path

import pytest
from firmware_host import AES_CCM, ASCON, Host, compile_host, core_sources, record


def keys_left(host: Host, suite: int) -> list[int]:
    """After starting the counter, after reserving a block, after sealing."""
    key = random.Random(suite).randbytes(16)
    host.load(record(device=1, suite=suite, key=key))
    left = (ctypes.c_int * 3)()
    host.c.host_keys_left_on_stack(key, left)
    return list(left)


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_no_copy_of_the_key_is_left_on_the_stack(suite: int) -> None:
    assert keys_left(Host.shared(), suite) == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "suite", "where"), [("counter.c", ASCON, 0), ("counter.c", ASCON, 1), ("suite_aes_ccm.c", AES_CCM, 2)]
)
def test_this_test_sees_a_copy_that_is_not_wiped(tmp_path: Path, name: str, suite: int, where: int) -> None:
    [path] = [path for path in core_sources() if path.name == name]
    source = path.read_text()
    without = re.sub(r"\n *tatu_wipe\([^\n]*;", "", source)
    assert without != source
    careless = Host(compile_host(tmp_path / "core.so", {name: without}))
    assert keys_left(careless, suite)[where] > 0
