"""An Arduino UNO on a bench: a pseudo-terminal whose other end is the simulator, which a false avrdude flashes, and
whose line can be made bad in every way that a line can be.

It does what a board does: what is written to its flash is what runs; after a reset the boot nonce is another one; at
another speed than the firmware's nothing but noise gets through; unplugged, its device file is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import shutil
import socket
import struct
import subprocess
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bancada.campaign.board import board_at
from bancada.engines.simavr.session import runner
from bancada.measure.laboratory import open_laboratory
from bancada.monitor.monitor import cobs_decode, cobs_encode, crc16
from bancada.plan.laboratory import Laboratory

BAUD = termios.B500000

# What the last call returned, and its cycles (harness/include/bancada/monitor.h).
_CALL_ANSWER_BYTES = 5

# What a board says of itself to avrdude, and what avrdude must be told of it (avrdude's manual, options -p, -c, -b,
# -U).
_AVRDUDE = """#!{python}
import json, socket, sys
bench = socket.socket(socket.AF_UNIX)
bench.connect({address!r})
bench.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
answer = json.loads(bench.makefile().readline())
print(answer["said"], file=sys.stderr)
sys.exit(answer["status"])
"""


@dataclass
class Faults:
    """What is wrong. Numbers count the frames that the device answers, from 1 on, since the bench was made."""

    before: dict[int, bytes] = field(default_factory=dict)  # noise in front of a frame
    after: dict[int, bytes] = field(default_factory=dict)  # noise behind its zero
    damaged: set[int] = field(default_factory=set)  # one bit of it changed
    lost: set[int] = field(default_factory=set)
    reset_at: set[int] = field(
        default_factory=set
    )  # the board restarts before this answer is out, and asks again get another nonce
    silent_from: int | None = None
    unplug_at: int | None = None
    stolen_cycles: int = 0  # what every call of more than a thousand cycles takes longer
    echo: bytes = b""  # what the board sends instead of all its answers
    avrdude: Callable[[list[str]], tuple[int, str] | None] = lambda arguments: (
        None
    )  # status and words, instead of doing it


class Bench:
    """Use as a context manager: `port` is the path to give to --port, `path` the PATH with the false avrdude in
    front."""

    def __init__(self, folder: Path, mcu: str = "atmega328p", programmer: str = "arduino") -> None:
        self.mcu = mcu
        self.programmer = programmer
        self.folder = folder
        self.faults = Faults()
        self.baud = BAUD
        self.frames = 0
        self.written = 0  # how often the flash was written
        self.compared = 0
        self.complaints: list[str] = []
        self.port = str(folder / "ttyACM0")
        self.path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self._image = b""
        self._nonce = 1
        self._process: subprocess.Popen[bytes] | None = None
        self._answer = b""
        self._master = -1
        self._ends = threading.Event()
        self._lock = threading.RLock()

    def __enter__(self) -> Bench:
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        address = str(self.folder / "bench.socket")
        script = self.folder / "bin" / "avrdude"
        script.write_text(_AVRDUDE.format(python=sys.executable, address=address))
        script.chmod(0o755)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(address)
        self._server.listen()
        self.plug_in()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._serve_avrdude, self._pump)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ends.set()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(30)
        self._server.close()
        self.unplug()
        self._stop()

    def plug_in(self) -> None:
        """A new pseudo-terminal under the same name; the board starts."""
        with self._lock:
            master, client = pty.openpty()
            tty.setraw(client)
            attributes = termios.tcgetattr(client)
            attributes[4] = attributes[5] = BAUD
            termios.tcsetattr(client, termios.TCSANOW, attributes)
            self._client, self._master = client, master
            os.symlink(os.ttyname(client), self.port)
            self._start()

    def unplug(self) -> None:
        """The device file disappears, and no process that has it open can read or write."""
        with self._lock:
            if self._master < 0:
                return
            os.unlink(self.port)
            os.close(self._master)
            os.close(self._client)
            self._master = -1

    # The device: a process of the simulator, which a reset ends.

    def _elf(self) -> Path:
        """The flash's content as a program that the simulator takes: the very bytes that avrdude was given."""
        (self.folder / "flash.bin").write_bytes(self._image)
        (self.folder / "flash.S").write_text(f'.section .text\n.incbin "{self.folder / "flash.bin"}"\n')
        elf = self.folder / "flash.elf"
        command = [
            "avr-gcc",
            f"-mmcu={self.mcu}",
            "-nostdlib",
            "-nostartfiles",
            str(self.folder / "flash.S"),
            "-o",
            str(elf),
        ]
        subprocess.run(command, check=True, capture_output=True)
        return elf

    def _start(self) -> None:
        self._stop()
        self._answer = b""
        self._nonce = (
            self._nonce * 25173 + 13849
        ) & 0xFFFF  # as harness/src/device_avr.c, whose memory a new process forgets
        if self._image:
            self._process = subprocess.Popen(
                [
                    str(runner()),
                    "--mcu",
                    self.mcu,
                    "--frequency",
                    "16000000",
                    "--wdt-jitter",
                    "1",
                    str(self.folder / "flash.elf"),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def reset(self) -> None:
        """The button on the board."""
        with self._lock:
            self._start()

    # avrdude.

    def _serve_avrdude(self) -> None:
        while not self._ends.is_set():
            try:
                caller, _ = self._server.accept()
            except OSError:
                return
            with caller, caller.makefile("rw") as file:
                arguments = json.loads(file.readline())
                status, said = self.faults.avrdude(arguments) or self._avrdude(arguments)
                file.write(json.dumps({"status": status, "said": said}) + "\n")

    def _avrdude(self, arguments: list[str]) -> tuple[int, str]:
        options = dict(zip(arguments, arguments[1:], strict=False))
        wanted = {"-p": self.mcu, "-c": self.programmer, "-P": self.port, "-b": "115200"}
        for option, value in wanted.items():
            if options.get(option) != value:
                self.complaints.append(f"{option} {options.get(option)} instead of {value}")
        _, action, rest = options["-U"].split(":", 2)
        path, _, form = rest.rpartition(":")
        if form != "i" or action not in "wv":
            self.complaints.append(f"-U {options['-U']}")
        binary = self.folder / "given.bin"
        subprocess.run(
            ["avr-objcopy", "-I", "ihex", "-O", "binary", path, str(binary)], check=True, capture_output=True
        )
        image = binary.read_bytes()
        with self._lock:
            if self._master < 0:
                return 1, f'avrdude: ser_open(): can\'t open device "{self.port}": No such file or directory'
            if action == "v":
                self.compared += 1
                same = self._image[: len(image)] == image
                self._start()  # the programmer's RTS and DTR reset the board when it opens the port
                return (0, "verified") if same else (1, "avrdude: verification error; content mismatch")
            self.written += 1
            self._image = image
            self._elf()
            self._start()
        return 0, "avrdude done.  Thank you."

    # The line.

    def _pump(self) -> None:
        while not self._ends.is_set():
            with self._lock:
                output = self._process.stdout if self._process is not None else None
                sources = [self._master] if self._master >= 0 else []
                if output is not None:
                    sources.append(output.fileno())
                ready = select.select(sources, [], [], 0)[0] if sources else []
                if self._master in ready:
                    self._from_host()
                if (
                    output is not None
                    and self._process is not None
                    and output is self._process.stdout
                    and output.fileno() in ready
                ):
                    self._from_device(os.read(output.fileno(), 4096))
            if not ready:
                select.select(sources, [], [], 0.01)

    def _speed_is_right(self) -> bool:
        return bool(termios.tcgetattr(self._master)[4] == self.baud)

    def _from_host(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return
        if not self._speed_is_right():
            data = bytes(byte ^ 0xA5 for byte in data)
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(data)

    def _from_device(self, data: bytes) -> None:
        self._answer += data
        while b"\0" in self._answer and self._master >= 0:
            frame, _, self._answer = self._answer.partition(b"\0")
            self._send(frame)

    def _send(self, frame: bytes) -> None:
        faults = self.faults
        self.frames += 1
        if faults.unplug_at == self.frames:
            self.unplug()
            return
        if self.frames in faults.reset_at:
            self._start()
            return
        if self.frames in faults.lost or (faults.silent_from is not None and self.frames >= faults.silent_from):
            return
        frame = self._with_nonce(frame)
        if self.frames in faults.damaged:
            middle = len(frame) // 2
            frame = frame[:middle] + bytes([frame[middle] ^ 0x10 or 0x11]) + frame[middle + 1 :]
        line = faults.echo or faults.before.get(self.frames, b"") + frame + b"\0" + faults.after.get(self.frames, b"")
        if not self._speed_is_right():
            line = bytes(byte ^ 0x5A or 0x77 for byte in line)
        os.write(self._master, line)

    def _with_nonce(self, frame: bytes) -> bytes:
        payload = cobs_decode(frame)
        assert payload is not None
        body = payload[4:-2]
        if len(body) == _CALL_ANSWER_BYTES and (cycles := struct.unpack("<I", body[1:])[0]) > 1000:
            body = body[:1] + struct.pack("<I", cycles + self.faults.stolen_cycles)
        payload = payload[:2] + struct.pack("<H", self._nonce) + body
        return cobs_encode(payload + struct.pack(">H", crc16(payload)))


def path_without_avrdude(folder: Path) -> str:
    """A PATH with every tool of this one but avrdude."""
    tools = folder / "tools"
    tools.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for tool in Path(place).glob("*"):
            if tool.name != "avrdude" and not (tools / tool.name).exists():
                with contextlib.suppress(OSError):
                    (tools / tool.name).symlink_to(tool)
    assert shutil.which("avrdude", path=str(tools)) is None
    return str(tools)


@contextlib.contextmanager
def with_board_at(target_name: str, port: str) -> Iterator[Laboratory]:
    """The laboratory of this repository, in which the target of that name is the board on the port."""
    laboratory = open_laboratory()
    with board_at(laboratory, laboratory.target(target_name), port) as opened:
        yield opened
