"""Messages with SHA3-256, signed with RSA PKCS #1 v1.5."""

from __future__ import annotations

from bancada.primitives.hash.algorithms.sha3_256 import ALGORITHM as SHA3_256
from bancada.primitives.message.algorithm import message
from bancada.primitives.signature.algorithms.rsa_pkcs1 import ALGORITHM as RSA_PKCS1

ALGORITHM = message(SHA3_256, RSA_PKCS1)
