"""An ATmega328P with the bootloader in the simulator, and its serial port as pyserial would show it.

The port's time is the device's: a read that waits lets the device run, so nothing depends on how busy the computer is.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from sensorlink.laboratory import device_simulator
from sensorlink.update.upload import READ_S

CLOCK_HZ = 16_000_000
BOOT_ADDRESS = 0x7000

Cut = Literal["begun", "torn", "done"]


class SimulatedDevice:
    """A chip that keeps its flash while its supply comes and goes. Its faults are errors of the caller."""

    def __init__(self, bootloader: Path) -> None:
        self._process = subprocess.Popen(
            [str(device_simulator()), str(BOOT_ADDRESS), str(bootloader)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.state: dict[str, Any] = {}
        self.sent = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()

    def _command(self, *words: object) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def _do(self, *words: object) -> None:
        self.state = self._command(*words)
        assert self.state["fault"] is None, self.state["fault"]
        self.sent += bytes.fromhex(self.state["sent"])

    def power_on(self, seed: int = 0) -> None:
        self._do("on", seed)

    def reset(self) -> None:
        self._do("reset")

    def run(self, cycles: int, sent_bytes: int = 1_000_000) -> None:
        """Until the time is over, so many bytes were sent, the supply has failed or the program has begun."""
        self._do("run", cycles, sent_bytes)

    def boot(self, seconds: float = 4.0) -> bool:
        """Whether the program begins within this time of the device. If not, it waits for an update."""
        self._do("boot", int(seconds * CLOCK_HZ))
        return self.is_in_program

    def send(self, data: bytes) -> None:
        if data:
            self._do("send", data.hex())

    def cut(self, operations: int, how: Cut, seed: int = 0) -> None:
        """The supply fails when so many more pages were erased or written."""
        self._do("cut", operations, how, seed)

    def read_flash(self, address: int, length: int) -> bytes:
        return bytes.fromhex(self._command("read", address, length)["bytes"])

    def write_flash(self, address: int, contents: bytes) -> None:
        self._do("write", address, contents.hex())

    @property
    def is_in_program(self) -> bool:
        return bool(self.state["in_program"])

    @property
    def has_power(self) -> bool:
        return bool(self.state["has_power"])

    @property
    def operations(self) -> int:
        return int(self.state["operations"])


class PowerFailed(Exception):
    """The simulated supply failed in the middle of an update."""


class SimulatedPort:
    """The serial port of a device, as pyserial shows it: DTR resets, and a read waits READ_S of the device's time."""

    def __init__(self, device: SimulatedDevice) -> None:
        self.device = device
        self._dtr = True
        self.rts = True
        self.written = 0

    @property
    def dtr(self) -> bool:
        return self._dtr

    @dtr.setter
    def dtr(self, level: bool) -> None:
        if level and not self._dtr:
            self.device.reset()
            self.device.sent = b""
        self._dtr = level

    def write(self, data: bytes, /) -> int:
        self.written += len(data)
        self.device.send(data)
        return len(data)

    def read(self, size: int = 1, /) -> bytes:
        if len(self.device.sent) < size:
            self.device.run(int(READ_S * CLOCK_HZ), size - len(self.device.sent))
        if not self.device.has_power:
            raise PowerFailed
        read, self.device.sent = self.device.sent[:size], self.device.sent[size:]
        return read

    def reset_input_buffer(self) -> None:
        self.device.sent = b""

    def close(self) -> None:
        pass
