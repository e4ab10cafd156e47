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

from tests.tatu.machines import TATU_SRC

# Of an AVR only.
ABSENT = {"entropy_avr.h"}


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
    path = tmp_path_factory.mktemp("linkable") / "libtatu.so"
    sources = sorted(TATU_SRC.rglob("*.c"))
    subprocess.run(["gcc", "-std=c99", "-fPIC", "-shared", f"-I{TATU_SRC}", "-o", path, *sources], check=True)
    return path


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


def test_every_function_of_the_headers_has_a_symbol(library: Path) -> None:
    table = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    defined = {line.split()[-1] for line in table.splitlines()}
    wanted = functions_of_the_headers()
    assert {"tatu_sha256", "tatu_aes128_small_encrypter", "tatu_aes256_ccm_decrypt", "tatu_gcm_encrypt"} <= wanted
    assert len(wanted) > 200
    assert wanted - defined == set()


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
