"""What is on the air, against implementations that are not Tatu's."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from bancada.primitives.references.ascon import aead128_encrypt
from tatulink.tests.host_library import AES_CCM, ASCON, EVERYONE, Device, Form, Opened, Status

FORMS = [
    *(Form(header, tag, ASCON) for header in (4, 8, 12) for tag in (8, 12, 16)),
    *(Form(header, tag, AES_CCM) for header in (4, 8, 12) for tag in (4, 8, 16)),
]
NUMBERS = {8: 1, 4: 2, 12: 3}
KEY = bytes(range(100, 116))


def whole_header(form: Form, sender: int, epoch: int, counter: int, recipient: int, topic: int) -> bytes:
    """The header that is sealed (tatulink/packet.h)."""
    start = bytes([NUMBERS[form.header_bytes] << 4, form.suite << 4 | epoch])
    header = start + sender.to_bytes(2, "big") + counter.to_bytes(4, "big")
    return header + recipient.to_bytes(2, "big") + topic.to_bytes(2, "big") if form.header_bytes == 12 else header


def expected(form: Form, header: bytes, message: bytes) -> bytes:
    nonce = header.ljust(15, b"\0") + bytes([0 if form.tag_bytes == 8 else form.tag_bytes])
    if form.suite == ASCON:
        ciphertext, tag = aead128_encrypt(KEY, nonce, header, message)
        sealed = ciphertext + tag[: form.tag_bytes]
    else:
        sealed = AESCCM(KEY, tag_length=form.tag_bytes).encrypt(nonce[:13], message, header)
    on_air = header[:1] + header[3:4] + header[6:8] if form.header_bytes == 4 else header
    return on_air + sealed


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_packet_is_what_its_description_says(form: Form) -> None:
    source = random.Random(str(form))
    sender = Device(0, form)
    assert sender.provision(200, KEY, epoch=5) is Status.OK
    for _ in range(20):
        message = source.randbytes(source.randrange(41))
        recipient, topic = EVERYONE, 0
        if form.header_bytes == 12:
            recipient, topic = source.randrange(0x10000), source.randrange(0x10000)
        counter = sender.c.host_next(0)
        packet = sender.seal(message, recipient, topic)
        assert packet == expected(form, whole_header(form, 200, 5, counter, recipient, topic), message)
        assert len(packet) == len(message) + form.overhead


def test_overheads_go_from_8_to_28_bytes() -> None:
    overheads = {form.overhead for form in FORMS}
    assert (min(overheads), max(overheads)) == (8, 28)


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_packet_opens_once(form: Form) -> None:
    sender, receiver = Device(0, form), Device(1, form)
    sender.provision(3)
    receiver.provision(4)
    wide = (4, 77) if form.header_bytes == 12 else (EVERYONE, 0)
    packet = sender.seal(b"rain 12 mm", *wide)
    assert receiver.open(packet) == Opened(Status.OK, b"rain 12 mm", 3, *wide, 0)
    assert receiver.open(packet).status is Status.REPLAYED


def test_an_empty_message_and_the_longest() -> None:
    sender, receiver = Device(0), Device(1)
    sender.provision(3)
    receiver.provision(4)
    assert receiver.open(sender.seal(b"")).message == b""
    longest = bytes(range(239))
    assert receiver.open(sender.seal(longest)).message == longest
    counter = sender.c.host_next(0)
    assert sender.try_seal(longest + b"!") == (Status.BAD_LENGTH, b"")
    assert sender.c.host_next(0) == counter


def test_ascon_has_no_tags_of_4_bytes() -> None:
    sender = Device(0, Form(4, 4, ASCON))
    sender.provision(3)
    assert sender.try_seal(b"x") == (Status.BAD_LENGTH, b"")


def test_every_status_has_its_own_words() -> None:
    words = [Device(0).c.host_why(status).decode() for status in Status]
    assert len(set(words)) == len(Status)
