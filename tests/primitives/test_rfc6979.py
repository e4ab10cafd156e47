"""Deterministic ECDSA against RFC 6979, appendix A.2, as OpenSSL's file of its vectors has it; and signatures that
repeat."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from itertools import islice

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA3_256, SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bancada.primitives.discovery import read_primitives
from bancada.primitives.message.algorithm import MessageAlgorithm, serialised
from bancada.primitives.references.rfc6979 import nonces
from bancada.primitives.signature.algorithms.ecdsa_secp256k1 import ALGORITHM as SECP256K1

pytestmark = pytest.mark.quick

# Orders of the base points (FIPS 186-4, appendix D.1.2).
_ORDERS = {
    "secp224r1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D,
    "secp256r1": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "secp384r1": 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    "secp521r1": int("01FF" + "FF" * 31 + "FA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409", 16),
}


def _vectors() -> Iterator[tuple[ec.EllipticCurvePrivateKey, str, bytes, tuple[int, int]]]:
    """(key, hash, message, (r, s)) of every signature that the file expects on a curve of _ORDERS."""
    private: dict[str, ec.EllipticCurvePrivateKey] = {}
    with cryptography_vectors.open_vector_file("asymmetric/ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt", "r") as file:
        stanzas = file.read().split("\n\n")
    for stanza in stanzas:
        head, _, rest = stanza.partition("\n")
        if head.startswith("PrivateKey=P-") and "P-192" not in head:
            key = load_pem_private_key(rest.encode(), None)
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            private[head.removeprefix("PrivateKey=")] = key
        values = dict(line.split(" = ", 1) for line in stanza.splitlines() if " = " in line)
        if "DigestSign" in values and values["Key"] in private:
            message = values["Input"].strip('"').encode()
            yield (
                private[values["Key"]],
                values["DigestSign"],
                message,
                utils.decode_dss_signature(bytes.fromhex(values["Output"])),
            )


def test_every_signature_of_the_appendix() -> None:
    seen = set()
    for key, hash_name, message, expected in _vectors():
        order, d = _ORDERS[key.curve.name], key.private_numbers().private_value
        digest = hashlib.new(hash_name, message).digest()
        nonce = next(nonces(order, d, digest, hash_name))
        r = ec.derive_private_key(nonce, key.curve).public_key().public_numbers().x % order
        number = int.from_bytes(digest, "big") >> max(8 * len(digest) - order.bit_length(), 0)
        assert (r, pow(nonce, -1, order) * (number + r * d) % order) == expected, (key.curve.name, hash_name, message)
        seen.add((key.curve.name, hash_name, message))
    assert len(seen) == len(_ORDERS) * 5 * 2, "four curves, five hashes, two messages"


@pytest.mark.parametrize(("name", "algorithm"), [("sha256", SHA256()), ("sha3_256", SHA3_256())])
def test_on_secp256k1_it_is_openssls(name: str, algorithm: SHA256 | SHA3_256) -> None:
    for number in range(20):
        source = random.Random(number)
        pair, message = SECP256K1.key_pair(source), source.randbytes(21)
        key = ec.derive_private_key(int.from_bytes(pair.private[:32], "big"), ec.SECP256K1())
        r, s = utils.decode_dss_signature(key.sign(message, ec.ECDSA(algorithm, deterministic_signing=True)))
        made = SECP256K1.sign_as(pair, hashlib.new(name, message).digest(), source, name)
        assert made == r.to_bytes(32, "big") + s.to_bytes(32, "big")


def test_a_nonce_that_gives_no_signature_is_followed_by_another() -> None:
    tried = list(islice(nonces(_ORDERS["secp256r1"], 5, bytes(32), "sha256"), 3))
    assert len(set(tried)) == 3
    assert all(0 < nonce < _ORDERS["secp256r1"] for nonce in tried)


@pytest.mark.parametrize("hashed", ["sha-256", "sha3-256"])
@pytest.mark.parametrize("signed", ["ecdsa-secp256k1", "rsa-pkcs1"])
def test_a_message_is_signed_alike_in_every_run(hashed: str, signed: str) -> None:
    algorithm = read_primitives()["message"].algorithm(f"message-{hashed}+{signed}")
    assert isinstance(algorithm, MessageAlgorithm)
    pair = algorithm.keys(random.Random(7))
    first, second = (algorithm.sign(pair, serialised(b"text")) for _ in range(2))
    assert first == second
    assert algorithm.holds(pair, serialised(b"text"), first)
    assert not algorithm.holds(pair, serialised(b"other"), first)
