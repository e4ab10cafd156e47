"""The two messages of the study: a string of 1,215 bytes, and an image of about 2 MB, which is ours."""

from __future__ import annotations

STRING_BYTES = 1215
IMAGE_BYTES = 2_095_120

_WIDTH, _HEIGHT = 1024, 682
_TEXT = b"Uma mensagem do cliente ao servidor, e de volta. "


def string() -> bytes:
    """Readable text, so that a person who opens a stored copy sees whether it is complete."""
    return (_TEXT * (STRING_BYTES // len(_TEXT) + 1))[:STRING_BYTES]


def image() -> bytes:
    """A picture that any viewer opens (PPM, binary): two ramps, and rings about the middle."""
    rows = []
    ramp = bytes(x * 255 // (_WIDTH - 1) for x in range(_WIDTH))
    across = [(x - _WIDTH // 2) ** 2 for x in range(_WIDTH)]
    for y in range(_HEIGHT):
        down = (y - _HEIGHT // 2) ** 2
        points = bytearray(3 * _WIDTH)
        points[0::3] = ramp
        points[1::3] = bytes([y * 255 // (_HEIGHT - 1)]) * _WIDTH
        points[2::3] = bytes((distance + down >> 8) & 0xFF for distance in across)
        rows.append(bytes(points))
    made = f"P6\n{_WIDTH} {_HEIGHT}\n255\n".encode() + b"".join(rows)
    assert len(made) == IMAGE_BYTES
    return made
