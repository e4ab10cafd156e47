"""Messages with SHA3-256, signed with ECDSA on secp256k1."""

from __future__ import annotations

from bancada.primitives.hash.algorithms.sha3_256 import ALGORITHM as SHA3_256
from bancada.primitives.message.algorithm import message
from bancada.primitives.signature.algorithms.ecdsa_secp256k1 import ALGORITHM as ECDSA_SECP256K1

ALGORITHM = message(SHA3_256, ECDSA_SECP256K1)
