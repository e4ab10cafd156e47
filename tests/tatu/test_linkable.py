"""A shared library of Tatu has every function of the headers under its name, so that other languages can call them."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC

from tests.tatu.compiled import shared_library
from tests.tatu.machines import CORTEX_A8_ARM, CORTEX_A53_PROTECTED, TATU_SRC

# Of an AVR only.
ABSENT = {"entropy_avr.h"}


# With the assembly of each kind of machine, and without any.
MACHINES = {
    "x86-64": ("gcc", ("-O1",)),
    "x86-64-clang": ("clang", ("-O0", "-Wno-unused-command-line-argument")),
    "armv7": (CORTEX_A8_ARM.compiler, CORTEX_A8_ARM.flags),
    "aarch64": (CORTEX_A53_PROTECTED.compiler, CORTEX_A53_PROTECTED.flags),
}


class Encrypter(ctypes.Structure):
    """struct tatu_block_encrypter"""

    _fields_ = [
        ("encrypt", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("block_bytes", ctypes.c_uint8),
        ("encrypt_blocks", ctypes.c_void_p),
    ]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_library(tmp_path_factory.mktemp("linkable") / "libtatu.so", *MACHINES["x86-64"])


def functions_of_the_headers() -> set[str]:
    """As the compiler sees them: declared, or defined by a macro."""
    headers = sorted(path.name for path in (TATU_SRC / "tatu").glob("*.h") if path.name not in ABSENT)
    done = subprocess.run(
        ["gcc", "-std=c99", "-E", "-P", f"-I{TATU_SRC}", "-"],
        input="".join(f"#include <tatu/{name}>\n" for name in headers),
        capture_output=True,
        text=True,
        check=True,
    )
    names = set(re.findall(r"\b(tatu_\w+[a-z0-9])\s*\(", done.stdout))
    return {name for name in names if not name.endswith("_function")}  # those are types


def exported(library: Path) -> set[str]:
    """By a shared library; the compiler's own start-up code aside."""
    table = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in table.splitlines()}


def test_every_function_of_the_headers_has_a_symbol(library: Path) -> None:
    defined = exported(library)
    wanted = functions_of_the_headers()
    assert {"tatu_sha256", "tatu_aes128_small_encrypter", "tatu_aes256_ccm_decrypt", "tatu_gcm_encrypt"} <= wanted
    assert len(wanted) > 200
    assert wanted - defined == set()


@pytest.mark.parametrize("machine", MACHINES)
def test_a_shared_library_exports_the_functions_of_the_headers_alone(machine: str, tmp_path: Path) -> None:
    library = shared_library(tmp_path / "libtatu.so", *MACHINES[machine], "-nostartfiles", "-Wl,-z,defs")
    assert exported(library) == functions_of_the_headers()


def test_a_program_in_another_language_calls_inline_functions(library: Path) -> None:
    """CMAC takes what an inline function returns, a structure; CCM is an inline function itself."""
    tatu = ctypes.CDLL(str(library))
    key, nonce, message, header = bytes(range(16)), bytes(13), b"from another language", b"header"
    aes, mac_key, tag = (ctypes.create_string_buffer(size) for size in (1024, 1024, 16))
    tatu.tatu_aes128_encrypter.restype = Encrypter
    tatu.tatu_cmac_set_key.argtypes = [ctypes.c_void_p, Encrypter]
    size = ctypes.c_size_t

    tatu.tatu_aes128_set_key(aes, key)
    tatu.tatu_cmac_set_key(mac_key, tatu.tatu_aes128_encrypter(aes))
    assert tatu.tatu_cmac(mac_key, tag, size(16), message, size(len(message))) == 0
    expected = CMAC(algorithms.AES(key))
    expected.update(message)
    assert tag.raw == expected.finalize()

    output = ctypes.create_string_buffer(len(message))
    ends = (header, size(len(header)), nonce, size(len(nonce)), tag, size(16))
    assert tatu.tatu_aes128_ccm_encrypt(aes, output, message, size(len(message)), *ends) == 0
    assert output.raw + tag.raw == AESCCM(key).encrypt(nonce, message, header)
