"""The programs that protect a reading: what an UNO sends is what another implementation makes."""

from __future__ import annotations

import hmac
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Observation
from bancada.primitives.references.ascon import aead128_encrypt
from experiments.sensor.packets import MESSAGES, PROTECTIONS, observe_packet, packet_programs

# The keys of programs/packets.c: of FIPS 197, appendix A.1, and SP 800-38A, F.1.5.
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
TAG_KEY = bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
READING = b"\x11" * 16


@pytest.fixture(scope="module")
def observed() -> dict[str, Observation]:
    target = open_laboratory().target("uno")
    return {one.name: observe_packet(one, program) for one, program in packet_programs(target)}


def _packets(found: Observation) -> list[bytes]:
    return [bytes.fromhex(packet) for packet in found.figures["packets"]]


def _ecb(key: bytes, data: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(data)


def _opened(packet: bytes) -> bytes:
    return Cipher(algorithms.AES(KEY), modes.CBC(packet[:16])).decryptor().update(packet[16:32])


def test_every_packet_is_right(observed: dict[str, Observation]) -> None:
    assert _packets(observed["ECB"]) == [_ecb(KEY, READING)] * MESSAGES
    for name in ("CBC", "HMAC"):
        assert {_opened(packet) for packet in _packets(observed[name])} == {READING}
    for packet in _packets(observed["HMAC"]):
        assert packet[32:] == hmac.new(TAG_KEY, packet[:32], sha256).digest()[:16]
    for count, (ccm, ascon) in enumerate(
        zip(_packets(observed["CCM"]), _packets(observed["ASCON"]), strict=True), start=1
    ):
        nonce = count.to_bytes(8, "big")
        assert ccm == nonce + AESCCM(KEY, tag_length=8).encrypt(nonce, READING, None)
        ciphertext, tag = aead128_encrypt(KEY, nonce + bytes(8), b"", READING)
        assert ascon == nonce + ciphertext + tag[:8]


def test_only_ecb_shows_that_readings_are_equal(observed: dict[str, Observation]) -> None:
    different = {name: one.figures["different_packets"] for name, one in observed.items()}
    assert different == {one.name: 1 if one.name == "ECB" else MESSAGES for one in PROTECTIONS}
    cycles = {name: one.figures["seal_cycles"] for name, one in observed.items()}
    assert cycles["ECB"] < cycles["CBC"] < cycles["HMAC"]
