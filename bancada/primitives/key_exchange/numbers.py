"""The numbers of a key exchange's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"public-key": 1, "shared-secret": 2}
BUFFERS = {"secret-key": 0, "peer-key": 1, "result": 2}
