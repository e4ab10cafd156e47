"""The driver of the CMAC and CCM tests."""

from __future__ import annotations

DRIVER = "authentication_driver.c"
PARTS = ("aes", "ccm", "cmac", "common", "speck")

OK, ERR_LENGTH, ERR_AUTHENTICATION, ERR_STATE = "0", "-1", "-4", "-5"
KEY_BYTES = {"aes128": 16, "aes192": 24, "aes256": 32, "aes128-tiny": 16, "speck64": 16}


def text(data: bytes) -> str:
    return data.hex() or "-"


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]
