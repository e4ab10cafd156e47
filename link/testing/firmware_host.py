"""The firmware's portable core, compiled for this computer with the sanitizer of undefined behaviour, and called from
Python.
"""

from __future__ import annotations

import ctypes
import struct
import subprocess
from binascii import crc_hqx
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from sensorlink.laboratory import data_root

ROOT = data_root()
FIRMWARE = ROOT / "link" / "firmware"
TATU = ROOT / "tatu" / "src"
TATULINK = ROOT / "tatulink" / "src"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")

ASCON, AES_CCM = 1, 2
READY, NO_RECORD, WORN, EXHAUSTED = range(4)
RECORD_BYTES, RECORDS, BLOCK, NEVER = 32, 16, 256, 0xFFFFFFFF


FLAGS = (
    *STRICT,
    *("-O1", "-g", "-fPIC", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-D_XOPEN_SOURCE=700", "-pthread"),
    *(f"-I{FIRMWARE}", f"-I{TATU}", f"-I{TATULINK}"),
)


@cache
def tatu_objects() -> tuple[Path, ...]:
    """Compiled once for all libraries of a run."""
    folder = Path(mkdtemp(prefix="link-tatu-"))
    sources = [path for room in ("aes", "ascon", "ccm", "common") for path in sorted((TATU / room).rglob("*.c"))]
    subprocess.run(["cc", *FLAGS, "-c", *map(str, sources)], cwd=folder, check=True)
    return tuple(sorted(folder.glob("*.o")))


def core_sources() -> list[Path]:
    """The firmware's portable core, with what it takes from TatuLink."""
    return [*sorted((FIRMWARE / "core").glob("*.c")), *sorted((TATULINK / "tatulink").glob("*.c"))]


@cache
def _object_of(source: Path) -> Path:
    """Compiled once for all libraries of a run that take the file as it is."""
    made = Path(mkdtemp(prefix="link-core-")) / f"{source.stem}.o"
    subprocess.run(["cc", *FLAGS, "-c", str(source), "-o", str(made)], check=True)
    return made


def compile_host(library: Path, changed: dict[str, str] | None = None) -> Path:
    """Builds the library; `changed` maps a file of core/ or TatuLink to the text in its place, to see a test fail."""
    parts = sorted(Path(__file__).parent.glob("firmware_host*.c"))
    inputs = [*map(_object_of, parts), *tatu_objects()]
    for path in core_sources():
        if changed and path.name in changed:
            copy = library.parent / path.name
            copy.write_text(changed[path.name])
            inputs.append(copy)
        else:
            inputs.append(_object_of(path))
    subprocess.run(["cc", *FLAGS, "-shared", "-o", str(library), *map(str, inputs)], check=True)
    return library


class Host:
    def __init__(self, library: Path) -> None:
        self.c = ctypes.CDLL(str(library))
        for name in (
            "host_seal",
            "host_open",
            "host_has_power",
            "host_counter_repaired",
            "host_is_slotted",
            "host_slots_hold",
            "host_clock_read",
            "host_clock_set",
            "host_clock_start",
            "host_rain_alarm",
            "host_e32_configure",
            "host_e32_send",
            "host_e32_sleep",
            "host_e32_wake",
            "host_derive",
            "host_next_epoch",
            "host_resend_take",
            "host_resend_last",
            "host_fallback_start",
            "host_fallback_quiet",
            "host_fallback_heard",
            "host_duty_spend",
            "host_region_allows",
        ):
            getattr(self.c, name).restype = ctypes.c_bool
        for name in (
            "host_counter_take",
            "host_counter_next",
            "host_first_ms",
            "host_pause_ms",
            "host_slot_ms",
            "host_clock_set_s",
            "host_rain_pulses",
            "host_rain_start",
            "host_rain_add",
            "host_downlink_start",
            "host_resend_sent_ms",
        ):
            getattr(self.c, name).restype = ctypes.c_uint32
        for name in ("host_crc16", "host_duty_refused", "host_region_duty"):
            getattr(self.c, name).restype = ctypes.c_uint16
        for name in (
            "host_cobs",
            "host_chunk_add",
            "host_chunk_gap",
            "host_status",
            "host_plaintext",
            "host_dispatch_add",
        ):
            getattr(self.c, name).restype = ctypes.c_uint8
        self.c.host_eeprom.restype = ctypes.POINTER(ctypes.c_uint8 * 1024)
        self.c.host_wear.restype = ctypes.POINTER(ctypes.c_uint32 * 1024)
        self.c.host_stuck.restype = ctypes.POINTER(ctypes.c_uint8 * 1024)
        self.c.host_clock_registers.restype = ctypes.POINTER(ctypes.c_uint8 * 256)
        self.c.host_power_fails_after.argtypes = [ctypes.c_int64, ctypes.c_uint8]
        self.c.host_reset()
        self.eeprom = self.c.host_eeprom().contents
        self.wear = self.c.host_wear().contents
        self.stuck = self.c.host_stuck().contents
        self.clock = self.c.host_clock_registers().contents

    @classmethod
    @cache
    def shared(cls) -> Host:
        return cls(compile_host(Path(mkdtemp(prefix="link-firmware-")) / "core.so"))

    def load(self, image: bytes) -> None:
        self.c.host_reset()
        self.eeprom[: len(image)] = list(image)

    def seal(
        self, device: int, suite: int, epoch: int, key: bytes, kind: int, counter: int, payload: bytes
    ) -> bytes | None:
        frame = ctypes.create_string_buffer(32)
        sealed = self.c.host_seal(frame, device, suite, epoch, key, kind, ctypes.c_uint32(counter), payload)
        if not sealed:
            assert frame.raw == bytes(32)
        return frame.raw if sealed else None

    def open(self, device: int, suite: int, epoch: int, key: bytes, frame: bytes) -> tuple[int, int, bytes] | None:
        payload = ctypes.create_string_buffer(b"\xaa" * 16, 16)
        kind, counter = ctypes.c_uint8(), ctypes.c_uint32()
        opened = self.c.host_open(payload, ctypes.byref(kind), ctypes.byref(counter), device, suite, epoch, key, frame)
        if not opened:
            assert payload.raw == bytes(16)
        return (kind.value, counter.value, payload.raw) if opened else None

    def take(self, count: int) -> list[int]:
        values = (ctypes.c_uint32 * max(count, 1))()
        return list(values[: self.c.host_counter_take(values, count)])

    def message(self, name: str, *arguments: object) -> bytes:
        """What a function that fills a message has written; empty if none was due."""
        message = ctypes.create_string_buffer(68)
        length = getattr(self.c, name)(message, *arguments)
        return message.raw[:length]


def record(
    mark: int = 0,
    *,
    device: int = 7,
    suite: int = ASCON,
    epoch: int = 0,
    key: bytes = bytes(range(16)),
    slot: int = 0,
    slots: int = 0,
    period: int = 5,
    channel: int = 23,
    region: int = 0,
    alarm: int = 0,
    power: int = 0,
    ratchets: bool = False,
    stage: int = 0,
) -> bytes:
    """An EEPROM record, built from the layout as docs/reference/link-formats.md gives it and not by the firmware."""
    settings = (slot, slots, period, region << 5 | channel, alarm, stage % 32 << 3 | ratchets << 2 | power)
    body = struct.pack(">BBHI16s6B", 1, suite << 4 | epoch, device, mark, key, *settings)
    return body + crc_hqx(body, 0xFFFF).to_bytes(2, "big")


def cobs_decode(coded: bytes) -> bytes:
    """The inverse of Cheshire and Baker's encoding, for a message without its final zero."""
    out = bytearray()
    at = 0
    while at < len(coded):
        code = coded[at]
        assert code != 0 and at + code <= len(coded)
        out += coded[at + 1 : at + code]
        at += code
        if code < 0xFF and at < len(coded):
            out.append(0)
    return bytes(out)


def payloads(stream: bytes) -> list[bytes]:
    """The payloads of a serial stream, their CRC checked and removed."""
    found = []
    *messages, rest = stream.split(b"\0")
    assert rest == b""
    for message in messages:
        payload = cobs_decode(message)
        assert crc_hqx(payload[:-2], 0xFFFF) == int.from_bytes(payload[-2:], "big")
        found.append(payload[:-2])
    return found


def header(version: int, kind: int, suite: int, epoch: int, device: int, counter: int) -> bytes:
    return struct.pack(">BBHI", version << 4 | kind, suite << 4 | epoch, device, counter)


def reference_seal(suite: int, key: bytes, head: bytes, payload: bytes) -> bytes:
    """The frame by implementations that are not Tatu's: SP 800-232 in plain Python, and OpenSSL's CCM."""
    from cryptography.hazmat.primitives.ciphers.aead import AESCCM
    from laboratory_references import aead128_encrypt

    if suite == ASCON:
        ciphertext, tag = aead128_encrypt(key, head + bytes(8), head, payload)
        return head + ciphertext + tag[:8]
    return head + AESCCM(key, tag_length=8).encrypt(head + bytes(5), payload, head)


def bits_flipped(frame: bytes) -> Sequence[bytes]:
    return [
        frame[: bit // 8] + bytes([frame[bit // 8] ^ 1 << bit % 8]) + frame[bit // 8 + 1 :]
        for bit in range(8 * len(frame))
    ]
