"""The numbers of a sender's and a receiver's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"set-sign-key": 1, "send": 2, "set-verify-key": 3, "receive": 4}
BUFFERS = {"key": 0, "seed": 1, "text": 2, "packet": 3, "packet-bytes": 4}
