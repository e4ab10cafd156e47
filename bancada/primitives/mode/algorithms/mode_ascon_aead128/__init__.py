"""Messages in Ascon-AEAD128 (NIST SP 800-232). Vectors and second implementation: those of the AEAD."""

from __future__ import annotations

from bancada.primitives.aead.algorithms.ascon_aead128 import ALGORITHM as ASCON
from bancada.primitives.mode.algorithm import mode_of_aead

ALGORITHM = mode_of_aead("mode-ascon-aead128", ASCON, 16, ASCON.vectors)
