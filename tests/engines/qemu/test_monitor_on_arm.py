"""The monitor's protocol with frames longer than a COBS group, offsets beyond 16 bits, and requests that are wrong."""

from __future__ import annotations

import os
import random
import select
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.measure.device import open_device
from bancada.monitor.monitor import DeviceError
from tests.engines.qemu.whole_firmware import firmware_on

_INPUT = 2


@pytest.mark.parametrize(
    "data",
    [
        bytes(3000),
        b"\xff" * 253 + b"\0",
        b"\xff" * 254 + b"\0",
        (b"\xff" * 254 + b"\0") * 4 + b"\xff" * 254,
        b"\xff" * 5000,
        random.Random(5).randbytes(1 << 20),
    ],
    ids=["zeros", "253", "254", "254 and zeros", "no zero", "a mebibyte"],
)
def test_what_is_written_is_read_back(data: bytes) -> None:
    firmware, _ = firmware_on("bbb")
    with open_device(firmware, build(firmware), is_counted=False) as device:
        device.monitor.write(_INPUT, data)
        assert device.monitor.read(_INPUT, len(data)) == data


@pytest.mark.parametrize("target", ["samd21", "bbb", "rpi3"])
def test_requests_that_are_wrong_are_refused(target: str) -> None:
    firmware, _ = firmware_on(target)
    with open_device(firmware, build(firmware), is_counted=False) as device:
        monitor = device.monitor
        for offset, length in ((0, 17 + (1 << 20)), (0xFFFF_FFFF, 1), (0x1_0000, 0xFFFF_FFFF), (1 << 21, 4)):
            with pytest.raises(DeviceError, match="was asked for bytes outside a buffer"):
                monitor._exchange(4, struct.pack("<BII", _INPUT, offset, length), "read")
        with pytest.raises(DeviceError, match="has no such buffer"):
            monitor.read(14, 1)
        with pytest.raises(DeviceError, match="does not have the operation"):
            monitor.call(9)
        with pytest.raises(DeviceError, match="does not know the command"):
            monitor._exchange(77, bytes(10), "nothing")
        with pytest.raises(DeviceError, match="found the command malformed"):
            monitor._exchange(3, bytes(9), "call")
        assert monitor.guards_hold()


_RUNS_FOR_EVER = """
import sys
from pathlib import Path
from bancada.engines.qemu.process import QemuProcess
from bancada.build.symbols import symbols
program = Path(sys.argv[1])
with QemuProcess(["qemu-arm", program.name], symbols(program), [], is_counted=False, folder=program.parent) as run:
    print(run.process.pid, flush=True)
    sys.stdin.read()
"""


def test_no_emulator_outlives_a_laboratory_that_was_killed(tmp_path: Path) -> None:
    source, program = tmp_path / "for_ever.c", tmp_path / "for_ever"
    source.write_text("void _start(void)\n{\n    for (;;) {\n    }\n}\n")
    subprocess.run(["arm-linux-gnueabihf-gcc", "-nostdlib", "-static", "-o", program, source], check=True)
    laboratory = subprocess.Popen(
        [sys.executable, "-c", _RUNS_FOR_EVER, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert laboratory.stdout is not None
    emulator = int(laboratory.stdout.readline())
    ending = os.pidfd_open(emulator)
    try:
        assert not select.select([ending], [], [], 0)[0], "it runs"
        laboratory.kill()
        laboratory.communicate()
        if not select.select([ending], [], [], 60)[0]:
            signal.pidfd_send_signal(ending, signal.SIGKILL)
            pytest.fail("the emulator runs on")
    finally:
        os.close(ending)
