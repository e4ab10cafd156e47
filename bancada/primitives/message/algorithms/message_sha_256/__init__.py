"""Messages with SHA-256, not signed."""

from __future__ import annotations

from bancada.primitives.hash.algorithms.sha_256 import ALGORITHM as SHA_256
from bancada.primitives.message.algorithm import message

ALGORITHM = message(SHA_256)
