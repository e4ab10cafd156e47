"""The sealed frame against implementations that are not Tatu's."""

from __future__ import annotations

import os
import random

import pytest
from firmware_host import AES_CCM, ASCON, Host, bits_flipped, header, reference_seal

VECTORS = int(os.environ.get("LINK_TEST_VECTORS", "1000"))


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_frames_are_what_independent_implementations_make(suite: int) -> None:
    host = Host.shared()
    source = random.Random(suite)
    for _ in range(VECTORS // 2):
        device, epoch = source.randrange(1 << 16), source.randrange(16)
        kind, counter = source.randrange(16), source.choice([0, 0xFFFF, 0x10000, 0xFFFFFFFF, source.randrange(1 << 32)])
        key, payload = source.randbytes(16), source.randbytes(16)
        expected = reference_seal(suite, key, header(1, kind, suite, epoch, device, counter), payload)
        assert host.seal(device, suite, epoch, key, kind, counter, payload) == expected
        assert host.open(device, suite, epoch, key, expected) == (kind, counter, payload)


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_no_frame_opens_with_one_bit_flipped(suite: int) -> None:
    host = Host.shared()
    key = bytes(range(16))
    frame = host.seal(513, suite, 3, key, 0, 1 << 20, b"sixteen bytes ok")
    assert frame is not None and host.open(513, suite, 3, key, frame) is not None
    assert [bit for bit, changed in enumerate(bits_flipped(frame)) if host.open(513, suite, 3, key, changed)] == []


def test_a_frame_opens_for_its_own_identity_only() -> None:
    host = Host.shared()
    key, payload = bytes(16), bytes(16)
    frame = host.seal(5, ASCON, 1, key, 0, 9, payload)
    assert frame is not None
    assert host.open(5, ASCON, 1, key, frame) == (0, 9, payload)
    assert host.open(6, ASCON, 1, key, frame) is None
    assert host.open(5, AES_CCM, 1, key, frame) is None
    assert host.open(5, ASCON, 2, key, frame) is None
    assert host.open(5, ASCON, 1, b"\1" + bytes(15), frame) is None


def test_the_receivers_suite_decides_and_not_the_frames() -> None:
    """Frames whose tag holds under the key, but which name or use the suite that the receiver did not agree to."""
    host = Host.shared()
    key = bytes(16)
    for uses in (ASCON, AES_CCM):
        for names in (ASCON, AES_CCM):
            frame = reference_seal(uses, key, header(1, 0, names, 0, 5, 1), bytes(16))
            for agreed in (ASCON, AES_CCM):
                assert (host.open(5, agreed, 0, key, frame) is not None) is (uses == names == agreed)


@pytest.mark.parametrize("version", [0, 2, 15])
def test_another_version_is_refused_even_if_its_tag_holds(version: int) -> None:
    frame = reference_seal(ASCON, bytes(16), header(version, 0, ASCON, 0, 5, 1), bytes(16))
    assert Host.shared().open(5, ASCON, 0, bytes(16), frame) is None


@pytest.mark.parametrize("suite", [0, 3, 15])
def test_an_unknown_suite_seals_nothing(suite: int) -> None:
    assert Host.shared().seal(1, suite, 0, bytes(16), 0, 0, bytes(16)) is None
