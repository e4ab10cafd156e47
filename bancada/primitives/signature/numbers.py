"""The numbers of a signature's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

# "set-key" sets the key to sign with. The last three are the parts of "verify" where the signature comes in pieces.
OPERATIONS = {
    "set-key": 1,
    "sign": 2,
    "set-verify-key": 3,
    "verify": 4,
    "verify-begin": 5,
    "verify-piece": 6,
    "verify-end": 7,
}
BUFFERS = {"key": 0, "seed": 1, "digest": 2, "signature": 3}
