"""The numbers of a keystream's operations and buffers, for the host and for operations.c."""

from __future__ import annotations

# "stream" is a whole message; an experiment calls it "keystream" too, and says by its size which is meant.
OPERATIONS = {"set-key": 1, "keystream": 2, "stream": 3}
BUFFERS = {"key": 0, "start": 2, "block": 3, "input": 4, "output": 5}
