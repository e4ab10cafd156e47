"""The host's tests again, answered by programs for ARM under QEMU: what is imported here runs with the `driver` below."""

from __future__ import annotations

from pathlib import Path

import authentication_programs
import cipher_programs
import hash_programs
import pytest
from machines import DRIVERS, WITH_VECTORS, program
from test_block_ciphers import test_nist_known_answers_and_multi_block_messages as test_aes_known_answers
from test_block_ciphers import test_speck_designers_vectors
from test_ccm import test_every_flipped_bit_is_noticed_and_leaves_zeros as test_ccm_every_flipped_bit_is_noticed
from test_ccm import test_nist_decryption_and_verification as test_ccm_nist_decryption
from test_ccm import test_nist_encryption as test_ccm_nist_encryption
from test_cmac import test_every_flipped_bit_is_noticed as test_cmac_every_flipped_bit_is_noticed
from test_cmac import test_nist_examples as test_cmac_nist_examples
from test_modes import test_cbc_nist_known_answers_and_multi_block_messages as test_cbc_known_answers
from test_modes import test_ctr_rfc_3686_vectors
from test_random_sources import test_drbg_nist_vectors
from test_random_sources import test_drbg_of_every_length_between_reseedings
from test_rc6 import test_round_keys as test_rc6_round_keys
from test_rc6 import test_vectors_of_the_submission as test_rc6_vectors_of_the_submission
from test_sha256 import test_every_length_whole_and_in_pieces as test_sha256_every_length
from test_sha256 import test_known_answers as test_sha256_known_answers
from test_sha3 import test_hash_known_answers as test_sha3_known_answers
from test_sha3 import test_xof_known_answers as test_shake_known_answers

Driver = cipher_programs.Driver | authentication_programs.Driver | hash_programs.Driver | Path


@pytest.fixture(params=WITH_VECTORS, ids=lambda machine: machine.name)
def driver(request: pytest.FixtureRequest, scratch: Path) -> Driver:
    """What the module that a test comes from calls its driver."""

    def made(source: str) -> Path:
        return program(request.param, DRIVERS / source, scratch)

    match request.function.__module__:
        case "test_block_ciphers" | "test_modes" | "test_random_sources":
            return cipher_programs.Driver(made("cipher_driver.c"))
        case "test_ccm" | "test_cmac":
            return authentication_programs.Driver(made("authentication_driver.c"))
        case "test_sha256" | "test_sha3":
            return hash_programs.Driver(made("hash_driver.c"))
        case "test_rc6":
            return made("rc6_driver.c")
    raise KeyError(request.function.__module__)
