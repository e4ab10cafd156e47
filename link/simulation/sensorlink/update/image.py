"""Signed programs: items of 32 bytes, of which the bootloader asks for one after the other.

link/firmware/bootloader/layout.h has the layout.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from sensorlink.update.lms import HASH_BYTES, LEAVES, Signature

ITEM_BYTES = 32
PAGE_BYTES = 128
MANIFEST_ITEMS = 80
MAX_PAGES = 202

_FORMAT = b"BLF"
_HEADER_BYTES = 64
_RESERVED = bytes(22)
_BLOCK_BYTES = HASH_BYTES + PAGE_BYTES
_ERASED = b"\xff"

Sign = Callable[[bytes], Signature]


class NotAnImage(Exception):
    """What is wrong with a file."""


@dataclass(frozen=True)
class Image:
    """A signed program as a file has it."""

    device_type: int
    version: int
    pages: int
    contents: bytes

    @property
    def items(self) -> int:
        return len(self.contents) // ITEM_BYTES

    def item(self, number: int) -> bytes:
        return self.contents[ITEM_BYTES * number : ITEM_BYTES * (number + 1)]

    @property
    def program(self) -> bytes:
        """The pages alone."""
        return b"".join(_pages(self.contents))


def make_image(device_type: int, version: int, leaf: int, program: bytes, sign: Sign) -> bytes:
    """A program as a signed image. ValueError if it is empty or too long."""
    padded = program + _ERASED * (-len(program) % PAGE_BYTES)
    pages = [padded[at : at + PAGE_BYTES] for at in range(0, len(padded), PAGE_BYTES)]
    if not 0 < len(pages) <= MAX_PAGES:
        raise ValueError(f"a program has 1 to {MAX_PAGES * PAGE_BYTES} bytes, not {len(program)}")
    following = bytes(HASH_BYTES)
    blocks = []
    for page in reversed(pages):
        blocks.append(following + page)
        following = _hash(page, following)
    numbers = (number.to_bytes(2, "big") for number in (version, len(pages), leaf))
    header = b"".join((_FORMAT, bytes((device_type,)), *numbers, _RESERVED, following))
    signature = sign(header)
    return b"".join((header, signature.randomizer, *signature.chains, *signature.path, *reversed(blocks)))


def read_image(contents: bytes) -> Image:
    """What is in a file. NotAnImage if it is none, or damaged; the signature is for the device to judge."""
    if len(contents) < MANIFEST_ITEMS * ITEM_BYTES + _BLOCK_BYTES or not contents.startswith(_FORMAT):
        raise NotAnImage("it is not a signed program")
    version, pages, leaf = (int.from_bytes(contents[at : at + 2], "big") for at in (4, 6, 8))
    if not 0 < pages <= MAX_PAGES or leaf >= LEAVES:
        raise NotAnImage("it is not a signed program")
    if len(contents) != MANIFEST_ITEMS * ITEM_BYTES + pages * _BLOCK_BYTES:
        raise NotAnImage("it is not whole")
    expected = contents[HASH_BYTES:_HEADER_BYTES]
    for number, page in enumerate(_pages(contents)):
        at = MANIFEST_ITEMS * ITEM_BYTES + number * _BLOCK_BYTES
        following = contents[at : at + HASH_BYTES]
        if _hash(page, following) != expected:
            raise NotAnImage(f"page {number} is damaged")
        expected = following
    return Image(contents[3], version, pages, contents)


def _hash(page: bytes, following: bytes) -> bytes:
    return hashlib.sha256(page + following).digest()


def _pages(contents: bytes) -> list[bytes]:
    blocks = range(MANIFEST_ITEMS * ITEM_BYTES, len(contents), _BLOCK_BYTES)
    return [contents[at + HASH_BYTES : at + _BLOCK_BYTES] for at in blocks]
