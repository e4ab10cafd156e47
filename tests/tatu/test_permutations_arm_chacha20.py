"""Tatu's ChaCha20 and Poly1305 on Arm, assembly and C: the host's tests, answered by programs for each core under QEMU."""

from __future__ import annotations

import pytest
from permutation_machines import MACHINES, built
from test_chacha20_poly1305 import (
    Tatu,
    cases,
    test_aead_official_vectors,
    test_chacha20_block_agrees_with_cryptography,
    test_chacha20_of_every_length_agrees_with_cryptography,
    test_chacha20_of_many_blocks_agrees_with_cryptography,
    test_chacha20_official_vectors,
    test_decrypt_gives_the_message_back,
    test_encrypt_agrees_with_cryptography,
    test_every_flipped_bit_is_noticed_and_leaves_zeros,
    test_poly1305_agrees_with_cryptography,
    test_poly1305_of_many_blocks_agrees_with_cryptography,
    test_poly1305_official_vectors,
)


@pytest.fixture(scope="module", params=MACHINES, ids=lambda machine: machine.name)
def tatu(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tatu:
    return Tatu(built(request.param, "chacha20_driver.c", ("chacha20", "poly1305", "common"), tmp_path_factory.mktemp("arm")))
