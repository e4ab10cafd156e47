"""The numbers of a mode's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

# "make-input" makes the message to decrypt on the device, for the host has no fast implementation of every mode for one
# of megabytes. It is not timed.
OPERATIONS = {"encrypt": 2, "make-input": 3, "decrypt": 4}
BUFFERS = {
    "key": 0,
    "nonce": 1,
    "input": 2,
    "output": 3,
    "output-bytes": 4,
    "associated": 5,
    "associated-length": 6,
}
