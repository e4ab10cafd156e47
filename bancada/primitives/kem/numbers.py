"""The numbers of a KEM's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

OPERATIONS = {"make-key": 1, "encapsulate": 2, "decapsulate": 3, "store-key": 4}
BUFFERS = {"random": 0, "encapsulation-key": 1, "decapsulation-key": 2, "ciphertext": 3, "shared-secret": 4}
