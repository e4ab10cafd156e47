"""The host's tests of ChaCha20 and Poly1305 again, answered by programs for ARM under QEMU."""

from __future__ import annotations

from pathlib import Path

import pytest
from machines import DRIVERS, WITH_VECTORS, program
from test_chacha20_poly1305 import (
    Tatu,
    cases,
    test_aead_official_vectors,
    test_chacha20_official_vectors,
    test_decrypt_gives_the_message_back,
    test_every_flipped_bit_is_noticed_and_leaves_zeros,
    test_poly1305_agrees_with_cryptography,
    test_poly1305_official_vectors,
)


@pytest.fixture(scope="module", params=WITH_VECTORS, ids=lambda machine: machine.name)
def tatu(request: pytest.FixtureRequest, scratch: Path) -> Tatu:
    return Tatu(program(request.param, DRIVERS / "chacha20_driver.c", scratch))
