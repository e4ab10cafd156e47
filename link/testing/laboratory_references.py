"""Implementations that are not the link's own, from the laboratory: what the link writes is compared with them."""

from bancada.monitor.monitor import cobs_encode
from bancada.primitives.references.ascon import aead128_encrypt
from bancada.primitives.references.lms import holds as lms_holds
from bancada.primitives.references.lms import random_key as lms_random_key

__all__ = ["aead128_encrypt", "cobs_encode", "lms_holds", "lms_random_key"]
