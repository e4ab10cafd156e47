"""Every algorithm is tested on every machine that it is meant for. Tests that are no longer collected fail nowhere
else."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tatu.aes_programs import AES_MACHINES
from tests.tatu.hash_programs import HASH_MACHINES
from tests.tatu.machines import CORTEX_M3, CORTEX_M4, EVERY, HERE, HOST_GCC, HOSTS, PORTABLE, Machine

ROOT = HERE.parents[1]
# The functions of each module that hold the algorithm against official vectors or another implementation.
WHERE: dict[str, tuple[tuple[Machine, ...], tuple[str, ...]]] = {
    "test_aes_arm.py": (
        AES_MACHINES,
        ("test_any_number_of_blocks_in_place_and_apart", "test_cbc_and_ctr_of_long_messages"),
    ),
    "test_ascon.py": (
        (HOST_GCC, *EVERY),
        (
            "test_aead_known_answers",
            "test_hash_known_answers",
            "test_decrypt_gives_the_message_back",
            "test_every_flipped_bit_is_noticed_and_leaves_zeros",
        ),
    ),
    "test_block_ciphers.py": (
        (*HOSTS, *PORTABLE),
        ("test_nist_known_answers_and_multi_block_messages", "test_speck_designers_vectors"),
    ),
    "test_ccm.py": (
        (HOST_GCC, *PORTABLE),
        (
            "test_nist_encryption",
            "test_nist_decryption_and_verification",
            "test_every_flipped_bit_is_noticed_and_leaves_zeros",
        ),
    ),
    "test_chacha20_poly1305.py": (
        (HOST_GCC, *EVERY),
        (
            "test_chacha20_official_vectors",
            "test_poly1305_official_vectors",
            "test_aead_official_vectors",
            "test_encrypt_agrees_with_cryptography",
            "test_every_flipped_bit_is_noticed_and_leaves_zeros",
        ),
    ),
    "test_cmac.py": ((HOST_GCC, *PORTABLE), ("test_nist_examples", "test_every_flipped_bit_is_noticed")),
    "test_gcm.py": (
        (HOST_GCC, *PORTABLE, CORTEX_M3, CORTEX_M4),
        ("test_nist_vectors_on_every_machine", "test_every_length_agrees_with_cryptography"),
    ),
    "test_hmac.py": (
        (*HOSTS, *PORTABLE),
        ("test_rfc_4231_vectors", "test_rfc_5869_vectors", "test_keys_and_messages_of_every_length"),
    ),
    "test_modes.py": (
        (*HOSTS, *PORTABLE),
        ("test_cbc_nist_known_answers_and_multi_block_messages", "test_ctr_rfc_3686_vectors"),
    ),
    "test_random_sources.py": ((*HOSTS, *PORTABLE), ("test_drbg_nist_vectors",)),
    "test_rc6.py": ((*HOSTS, *PORTABLE), ("test_vectors_of_the_submission", "test_round_keys")),
    "test_sha256.py": (
        (HOST_GCC, *HASH_MACHINES),
        ("test_known_answers", "test_every_length_whole_and_in_pieces"),
    ),
    "test_sha512.py": ((HOST_GCC, *HASH_MACHINES), ("test_known_answers",)),
    "test_sha3.py": (
        (HOST_GCC, *HASH_MACHINES),
        ("test_hash_known_answers", "test_xof_known_answers", "test_hash_every_length_whole_and_in_pieces"),
    ),
}


@pytest.fixture(scope="module")
def collected() -> set[tuple[str, str, str]]:
    """Module, function and parameters of each test in this folder."""
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        *(HERE / name for name in WHERE),
    ]
    # The output is read here: no option of the user's own changes it.
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found = set()
    for line in done.stdout.splitlines():
        path, separator, test = line.partition("::")
        if separator:
            function, _, parameters = test.partition("[")
            found.add((Path(path).name, function, parameters.removesuffix("]")))
    return found


@pytest.mark.parametrize("module", WHERE)
def test_vectors_are_run_on_every_machine(collected: set[tuple[str, str, str]], module: str) -> None:
    machines, functions = WHERE[module]
    for function in functions:
        ids = [parameters for name, test, parameters in collected if (name, test) == (module, function)]
        for machine in machines:
            assert any(f"-{each}".endswith(f"-{machine.name}") for each in ids), f"{function} on {machine.name}"


def test_no_test_module_imports_another() -> None:
    """The tests of an imported module run twice, or never once a linter removes the import."""
    for folder in ("tatu", "portability"):
        for path in sorted((ROOT / "tests" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                assert not [name for name in names if name.split(".")[-1].startswith("test_")], path
