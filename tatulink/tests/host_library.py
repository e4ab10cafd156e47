"""TatuLink compiled for this computer, with the sanitizer of undefined behaviour, and devices that run it."""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tatulink" / "src" / "tatulink"
_TATU = ROOT / "tatu" / "src"
_FLAGS = (
    *("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion"),
    *("-O1", "-g", "-fPIC", "-fsanitize=undefined", "-fno-sanitize-recover=all"),
    *(f"-I{SOURCES.parent}", f"-I{_TATU}"),
)
EVERYONE = 0xFFFF
OWN_BYTES, SENDER_BYTES = 512, 64


class Status(IntEnum):
    """enum tatulink_status."""

    OK = 0
    NOT_PROVISIONED = 1
    BAD_IDENTITY = 2
    WORN = 3
    EXHAUSTED = 4
    BAD_LENGTH = 5
    NO_PACKET = 6
    OWN_PACKET = 7
    OTHER_RECIPIENT = 8
    FORGED = 9
    REPLAYED = 10
    TOO_OLD = 11
    TOO_MANY_SENDERS = 12
    DAMAGED = 13
    NO_RECIPIENT = 14


@dataclass(frozen=True)
class Form:
    header_bytes: int
    tag_bytes: int
    suite: int = 1

    @property
    def overhead(self) -> int:
        return self.header_bytes + self.tag_bytes


ASCON, AES_CCM = 1, 2
STANDARD = Form(8, 8)


@dataclass(frozen=True)
class Opened:
    status: Status
    message: bytes = b""
    sender: int = 0
    recipient: int = 0
    topic: int = 0
    counter: int = 0


@cache
def _tatu_objects() -> tuple[Path, ...]:
    folder = Path(mkdtemp(prefix="tatulink-tatu-"))
    sources = [path for room in ("aes", "ascon", "ccm", "common") for path in sorted((_TATU / room).rglob("*.c"))]
    subprocess.run(["cc", *_FLAGS, "-c", *map(str, sources)], cwd=folder, check=True)
    return tuple(sorted(folder.glob("*.o")))


def build(changed: dict[str, tuple[str, str]] | None = None) -> ctypes.CDLL:
    """The library; `changed` puts a fault into a file: (text, instead), to see a test fail."""
    folder = Path(mkdtemp(prefix="tatulink-"))
    sources = []
    for path in sorted(SOURCES.glob("*.c")):
        if changed and path.name in changed:
            text, instead = changed[path.name]
            source = path.read_text()
            assert source.count(text) == 1, text
            path = folder / path.name
            path.write_text(source.replace(text, instead))
        sources.append(path)
    inputs = [Path(__file__).parent / "host.c", *sources, *_tatu_objects()]
    subprocess.run(["cc", *_FLAGS, "-shared", "-o", str(folder / "host.so"), *map(str, inputs)], check=True)
    library = ctypes.CDLL(str(folder / "host.so"))
    library.host_has_power.restype = ctypes.c_bool
    library.host_why.restype = ctypes.c_char_p
    library.host_writes.restype = ctypes.c_uint64
    for name in ("host_next", "host_most_wear"):
        getattr(library, name).restype = ctypes.c_uint32
    for name in ("host_eeprom", "host_stuck"):
        getattr(library, name).restype = ctypes.POINTER(ctypes.c_uint8 * 1024)
    library.host_power_fails_after.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_uint8]
    return library


@cache
def whole() -> ctypes.CDLL:
    """The library without a fault."""
    return build()


class Device:
    """One device. Its number is its place in the library."""

    def __init__(self, number: int, form: Form = STANDARD, library: ctypes.CDLL | None = None) -> None:
        self.c = library or whole()
        self.number = number
        self.form = form
        self.c.host_new(number)
        self.eeprom = self.c.host_eeprom(number).contents
        self.stuck = self.c.host_stuck(number).contents

    def provision(self, identity: int, key: bytes = bytes(range(16)), epoch: int = 0) -> Status:
        form = self.form
        return Status(
            self.c.host_provision(self.number, form.header_bytes, form.tag_bytes, form.suite, identity, epoch, key)
        )

    def rename(self, identity: int) -> Status:
        form = self.form
        return Status(self.c.host_rename(self.number, form.header_bytes, form.tag_bytes, form.suite, identity))

    def begin(self) -> Status:
        return Status(self.c.host_begin(self.number, self.form.header_bytes, self.form.tag_bytes, self.form.suite))

    def try_seal(self, message: bytes, recipient: int = EVERYONE, topic: int = 0) -> tuple[Status, bytes]:
        packet = ctypes.create_string_buffer(300)
        length = ctypes.c_uint8(77)
        status = self.c.host_seal(
            self.number, packet, ctypes.byref(length), message, ctypes.c_uint8(len(message)), recipient, topic
        )
        return Status(status), packet.raw[: length.value]

    def seal(self, message: bytes, recipient: int = EVERYONE, topic: int = 0) -> bytes:
        status, packet = self.try_seal(message, recipient, topic)
        assert status is Status.OK
        return packet

    def open(self, packet: bytes) -> Opened:
        """What comes of a packet. A message that is refused must not be left behind."""
        message = ctypes.create_string_buffer(b"\xaa" * 300, 300)
        length, of = ctypes.c_uint8(77), (ctypes.c_uint32 * 4)()
        status = Status(
            self.c.host_open(self.number, message, ctypes.byref(length), packet, ctypes.c_uint8(len(packet)), of)
        )
        if status is not Status.OK:
            assert length.value == 0
            assert set(message.raw) <= {0, 0xAA}
            return Opened(status)
        return Opened(status, message.raw[: length.value], *of)

    def power_fails_after(self, writes: int, torn: int = 0) -> None:
        self.c.host_power_fails_after(self.number, writes, torn)

    @property
    def has_power(self) -> bool:
        return bool(self.c.host_has_power(self.number))

    @property
    def writes(self) -> int:
        return int(self.c.host_writes(self.number))
