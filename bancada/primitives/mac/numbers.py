"""The numbers of a MAC's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"set-key": 1, "mac": 2}
BUFFERS = {"key": 0, "message": 2, "digest": 3}
