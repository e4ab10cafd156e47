"""Messages in AES-CCM (NIST SP 800-38C) with nonces of 12 bytes.

They leave room for messages of megabytes (its appendix A.1). Vectors: NIST CAVP's test with nonces of all sizes. Second
implementation: that of the AEAD.
"""

from __future__ import annotations

from bancada.primitives.aead.algorithm import Sealed
from bancada.primitives.aead.algorithms.aes_ccm import ALGORITHM as AES_CCM
from bancada.primitives.aead.algorithms.aes_ccm import ccm_vectors
from bancada.primitives.mode.algorithm import mode_of_aead

_NONCE_BYTES = 12


def _sealed(key_bits: int) -> tuple[Sealed, ...]:
    return tuple(one for one in ccm_vectors("VNT", "Nlen", key_bits) if len(one.nonce) == _NONCE_BYTES)


ALGORITHM = mode_of_aead("mode-aes-ccm", AES_CCM, _NONCE_BYTES, _sealed)
