"""The numbers of an AEAD's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"set-key": 1, "encrypt": 2, "decrypt": 4}
BUFFERS = {"key": 0, "nonce": 1, "data": 2, "tag": 3, "associated": 5, "associated-length": 6}
