"""The numbers of a block cipher's operations, buffers and chains, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {
    "set-key": 1,
    "encrypt": 2,
    "set-decrypt-key": 3,
    "decrypt": 4,
    "cbc-encrypt": 5,
    "cbc-decrypt": 6,
}
BUFFERS = {"key": 0, "iv": 1, "input": 2, "output": 3, "entropy": 4}
CHAINS = {"ecb": 1, "cbc-encrypt": 2, "cbc-decrypt": 3}
