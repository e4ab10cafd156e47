"""The numbers of a hash's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"hash": 2}
BUFFERS = {"message": 2, "digest": 3}
