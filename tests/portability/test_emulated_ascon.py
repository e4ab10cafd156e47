"""The host's tests of Ascon again, answered by programs for ARM under QEMU."""

from __future__ import annotations

from pathlib import Path

import pytest
from machines import DRIVERS, WITH_VECTORS, program
from test_ascon import (
    Tatu,
    cases,
    test_aead_known_answers,
    test_decrypt_gives_the_message_back,
    test_encrypt_in_pieces_agrees_with_the_model,
    test_every_flipped_bit_is_noticed_and_leaves_zeros,
    test_hash_known_answers,
)


@pytest.fixture(scope="module", params=WITH_VECTORS, ids=lambda machine: machine.name)
def tatu(request: pytest.FixtureRequest, scratch: Path) -> Tatu:
    return Tatu(program(request.param, DRIVERS / "ascon_driver.c", scratch))
