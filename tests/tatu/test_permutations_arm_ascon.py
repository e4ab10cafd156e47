"""Tatu's Ascon on Arm, assembly and C: the host's tests, answered by programs for each core under QEMU."""

from __future__ import annotations

import pytest
from permutation_machines import MACHINES, built
from test_ascon import (
    Tatu,
    cases,
    test_aead_known_answers,
    test_decrypt_gives_the_message_back,
    test_encrypt_in_pieces_agrees_with_the_model,
    test_every_flipped_bit_is_noticed_and_leaves_zeros,
    test_hash_in_pieces_agrees_with_the_model,
    test_hash_known_answers,
    test_xof_of_every_length_begins_the_same_output,
)


@pytest.fixture(scope="module", params=MACHINES, ids=lambda machine: machine.name)
def tatu(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tatu:
    return Tatu(built(request.param, "ascon_driver.c", ("ascon", "common"), tmp_path_factory.mktemp("arm")))
