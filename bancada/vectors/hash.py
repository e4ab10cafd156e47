"""Official vectors and independent implementations of hashes and MACs.

SHA-2, SHA-3: NIST CAVP files and the standard library's hashlib. CMAC: the examples of SP 800-38B and `cryptography`.
Ascon-Hash256: bancada.references.ascon, which a test holds against the designers' file of known answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC

from bancada.references.ascon import hash256

_CAVP_FILES = {"sha-256": ("SHA2", "SHA256"), "sha3-256": ("SHA3", "SHA3_256"), "sha3-512": ("SHA3", "SHA3_512")}


def _entries(file_name: str) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = []
    entry: dict[str, str] = {}
    with cryptography_vectors.open_vector_file(file_name, "r") as file:
        for line in [*file, ""]:
            name, separator, value = line.strip().partition("=")
            if separator and not line.startswith("["):
                entry[name.strip().lower()] = value.strip()
            elif not line.strip() and entry:
                entries.append(entry)
                entry = {}
    return entries


@cache
def official_hashes(algorithm: str, longest_bytes: int) -> tuple[tuple[str, bytes, bytes], ...]:
    """(name, message, digest) of NIST's messages of whole bytes that are no longer than that."""
    if algorithm not in _CAVP_FILES:
        return ()
    folder, stem = _CAVP_FILES[algorithm]
    found = []
    for kind in ("ShortMsg", "LongMsg"):
        for entry in _entries(f"hashes/{folder}/{stem}{kind}.rsp"):
            if "md" not in entry:
                continue
            length = int(entry["len"]) // 8
            if length <= longest_bytes:
                message = bytes.fromhex(entry["msg"])[:length]
                found.append((f"CAVP {stem}{kind} Len = {entry['len']}", message, bytes.fromhex(entry["md"])))
    return tuple(found)


def independent_hash(algorithm: str) -> Callable[[bytes], bytes]:
    """The hash by another implementation."""
    if algorithm == "ascon-hash256":
        return hash256
    name = {"sha-256": "sha256", "sha3-256": "sha3_256", "sha3-512": "sha3_512"}[algorithm]
    return lambda message: hashlib.new(name, message).digest()


@cache
def official_macs(key_bits: int) -> tuple[tuple[str, bytes, bytes, bytes], ...]:
    """(name, key, message, tag): the examples of SP 800-38B, appendix D."""
    found: list[tuple[str, bytes, bytes, bytes]] = []
    for entry in _entries(f"CMAC/nist-800-38b-aes{key_bits}.txt"):
        if "key" in entry and "output" in entry:
            name = f"SP 800-38B CMAC-AES{key_bits} example {entry.get('count', len(found))}"
            key, message, tag = (bytes.fromhex(entry.get(part, "")) for part in ("key", "message", "output"))
            found.append((name, key, message, tag))
    return tuple(found)


def independent_mac(key: bytes, message: bytes) -> bytes:
    """AES-CMAC by another implementation."""
    mac = CMAC(algorithms.AES(key))
    mac.update(message)
    return mac.finalize()
