"""Messages with SHA3-256, not signed."""

from __future__ import annotations

from bancada.primitives.hash.algorithms.sha3_256 import ALGORITHM as SHA3_256
from bancada.primitives.message.algorithm import message

ALGORITHM = message(SHA3_256)
