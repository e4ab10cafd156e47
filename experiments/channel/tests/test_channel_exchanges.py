"""Client and server exchange messages, in every mode, over the loopback and over a link; what both stored is what
was sent.
"""

from __future__ import annotations

import socket
import threading

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st

from bancada.model.errors import UserError
from experiments.channel.built_programs import PROTECTIONS, Programs
from experiments.channel.exchange import exchange
from experiments.channel.link import Link, Maker, best_maker, open_link, why_not
from experiments.channel.messages import IMAGE_BYTES, STRING_BYTES, image, string
from experiments.channel.share import goodput_at_share, rate_at_share, share, transmission_s, wire_bits
from experiments.channel.tests.channel_support import HEADER, KEYS, PATIENCE_S, Site, received


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_every_mode_brings_the_string_there_and_back(programs: Programs, protection: str) -> None:
    found = exchange(programs, protection, string(), Link(None, 0), Maker.LOOPBACK, times=2)
    assert len(found) == 2
    for one in found:
        assert (
            min(
                one.client_encrypt_ns,
                one.server_decrypt_ns,
                one.server_encrypt_ns,
                one.client_decrypt_ns,
                one.processing_ns,
            )
            > 0
        )
        parts = one.cryptography_ns + one.processing_ns + 2 * one.transmission_ns
        assert parts == pytest.approx(one.total_ns, abs=2)


@pytest.mark.parametrize("length", [1, 15, 16, 17, 4096])
@pytest.mark.parametrize(
    "protection", ["relic-aes-cbc-256", "tatu-aes-cbc-256", "tatu-aes-ccm-256", "tatu-ascon-aead128"]
)
def test_messages_of_any_length(programs: Programs, protection: str, length: int) -> None:
    assert exchange(
        programs,
        protection,
        bytes(range(256)) * 16 if length == 4096 else bytes(length),
        Link(None, 0),
        Maker.LOOPBACK,
        times=1,
    )


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_the_two_libraries_understand_each_other(site: Site, bits: int) -> None:
    for client, server in (("relic", "tatu"), ("tatu", "relic")):
        with site.server(f"{server}-aes-cbc-{bits}") as listening:
            said = site.client(listening.port, string(), f"{client}-aes-cbc-{bits}")
            assert said.code == 0, said.error
            assert listening.end().code == 0
        assert site.path("server-copy").read_bytes() == string() == site.path("client-copy").read_bytes()


def test_the_messages_are_those_of_the_study() -> None:
    assert len(string()) == STRING_BYTES == 1215
    assert len(image()) == IMAGE_BYTES and image().startswith(b"P6\n1024 682\n255\n")


def test_a_whole_run_through_the_link(programs: Programs) -> None:
    """The study's exchange over whatever link this machine can make: no faster than its rate and its delay allow."""
    link = Link(2e6, 3000)
    data = image()[:40_000]
    for one in exchange(programs, "tatu-ascon-aead128", data, link, best_maker(link), times=2):
        assert one.transmission_ns / 1e9 >= 0.999 * transmission_s(len(data) + 32, link)


def test_the_user_space_link_keeps_its_rate_and_delay(programs: Programs) -> None:
    link = Link(1e6, 5000)
    data = bytes(20_000)
    (one,) = exchange(programs, "relic-aes-cbc-128", data, link, Maker.USER_SPACE, times=1)
    expected_s = transmission_s(len(data) + 32, link)
    # Slower it may be, on a machine that does other things; faster, never.
    assert one.transmission_ns / 1e9 >= 0.999 * expected_s
    assert expected_s == pytest.approx((20_068 + 14 * 66) * 8 / 1e6 + 0.005)


def test_a_link_that_cannot_be_made_is_said(programs: Programs) -> None:
    with pytest.raises(UserError, match="delays nothing"), open_link(Link(1e6, 1000), Maker.TBF, programs.link):
        pass
    assert why_not(Maker.USER_SPACE) is None and why_not(Maker.LOOPBACK) is None
    assert best_maker(Link(None, 0)) is Maker.LOOPBACK


def test_shares_by_hand() -> None:
    link = Link(8e6, 0)
    # One segment: 1000 - 36 bytes of message, the header, 66 bytes of headers below.
    assert wire_bits(964) == (1000 + 66) * 8
    assert wire_bits(1448 - 36 + 1) == (1449 + 2 * 66) * 8
    assert share(0.002132, 964, link) == pytest.approx(0.5)
    # 2 x 8 Mbit in 1 s, half of an exchange of 2 s.
    assert goodput_at_share(0.5, 1.0, 1_000_000) == pytest.approx(16e6)


@settings(deadline=None)  # a busy machine is no fault
@given(st.floats(1e-4, 1), st.integers(1, 10_000_000), st.floats(0.01, 0.9), st.floats(0, 5000))
def test_at_the_rate_that_is_named_the_share_is_as_named(
    seconds: float, sent: int, wanted: float, delay_us: float
) -> None:
    rate = rate_at_share(wanted, seconds, sent, delay_us)
    if rate is None:
        # The delay alone takes so long that no link is fast enough.
        assert share(seconds, sent, Link(1e18, delay_us)) <= wanted * (1 + 1e-9)
    elif rate < 1e15:
        assert share(seconds, sent, Link(rate, delay_us)) == pytest.approx(wanted, rel=1e-6)


def test_what_is_sent_is_what_the_standard_says(site: Site) -> None:
    """A peer that is not ours reads a request: the IV in front, AES-CBC and padding as `cryptography` has them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE_S)
        taken: list[bytes] = []

        def take() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(PATIENCE_S)
                head = received(connection, HEADER.size)
                taken.append(received(connection, HEADER.unpack(head)[5]))

        reader = threading.Thread(target=take)
        reader.start()
        site.client(listening.getsockname()[1], b"seventeen bytes..", "relic-aes-cbc-128")
        reader.join(PATIENCE_S)
    (body,) = taken
    decryptor = Cipher(algorithms.AES(bytes.fromhex(KEYS[16])), modes.CBC(body[:16])).decryptor()
    assert decryptor.update(body[16:]) + decryptor.finalize() == b"seventeen bytes.." + bytes([15]) * 15
