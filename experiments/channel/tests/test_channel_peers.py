"""Changed messages, and peers that go, stay silent or speak something else: one clear line each, and a code."""

from __future__ import annotations

import ctypes
import random
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root
from experiments.channel.messages import image, string
from experiments.channel.tests.channel_support import (
    AES_CBC,
    ASCON,
    ASCON_PROTECTION,
    CLIENT,
    HEADER,
    MALFORMED,
    OTHER_MODE,
    PATIENCE_S,
    REPLY,
    REQUEST,
    SERVER,
    TOO_LONG,
    UNREADABLE,
    Site,
    answered,
    between,
    flipped,
    header,
    one_line,
    peer,
    received,
    refusal,
)

# ---- messages that are changed on the way


@pytest.mark.parametrize("protection", [ASCON_PROTECTION, "tatu-aes-ccm-128"])
@pytest.mark.parametrize("place", [36, 60, -1])
def test_a_request_that_was_changed(site: Site, protection: str, place: int) -> None:
    with site.server(protection) as server, between(server.port, flipped(place), "server") as port:
        client, said = site.client(port, string(), protection), server.end()
    assert client.code == said.code == 1
    one_line(client, CLIENT, "refused", "changed on the way")
    one_line(said, SERVER, "changed on the way")
    assert not site.path("server-copy").exists()


@pytest.mark.parametrize("protection", [ASCON_PROTECTION, "tatu-aes-ccm-128"])
@pytest.mark.parametrize("place", [36, 60, -1])
def test_a_reply_that_was_changed(site: Site, protection: str, place: int) -> None:
    with site.server(protection) as server, between(server.port, flipped(place), "client") as port:
        client = site.client(port, string(), protection)
    assert client.code == 1
    one_line(client, CLIENT, "the reply could not be opened", "changed on the way")
    assert not site.path("client-copy").exists()


def test_cbc_lets_a_change_through_and_the_comparison_finds_it(site: Site) -> None:
    """What the lack of integrity means: the server takes what nobody sent. A bit of the IV is a bit of the message."""
    with site.server() as server, between(server.port, flipped(HEADER.size), "server") as port:
        client, said = site.client(port, string()), server.end()
    assert said.code == 0
    stored = site.path("server-copy").read_bytes()
    assert stored == bytes([string()[0] ^ 1]) + string()[1:]
    assert client.code == 1
    one_line(client, CLIENT, "not the message that was sent", "from byte 0 on")


def test_a_request_that_is_sent_back_is_no_reply(site: Site) -> None:
    """With a tag: the header that says which of the two it is, is authenticated."""

    def reflect(connection: socket.socket) -> None:
        head = received(connection, HEADER.size)
        length = HEADER.unpack(head)[5]
        connection.sendall(header(REPLY, length, mode=ASCON) + received(connection, length))

    with peer(reflect) as port:
        client = site.client(port, string(), ASCON_PROTECTION)
    assert client.code == 1
    one_line(client, CLIENT, "the reply could not be opened")


def test_the_reply_to_another_request_is_no_reply(site: Site) -> None:
    """With a tag: it holds for this request's nonce alone."""
    kept: list[bytes] = []

    def keep(head: bytes, body: bytes) -> bytes:
        kept.append(head + body)
        return head + body

    with site.server(ASCON_PROTECTION) as server, between(server.port, keep, "client") as port:
        assert site.client(port, string(), ASCON_PROTECTION).code == 0

    def replay(connection: socket.socket) -> None:
        received(connection, len(kept[0]))
        connection.sendall(kept[0])

    with peer(replay) as port:
        client = site.client(port, string(), ASCON_PROTECTION)
    assert client.code == 1
    one_line(client, CLIENT, "the reply could not be opened")


# ---- peers that go, stay silent, or speak something else


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"", "after 0 of 36 bytes of the request's header"),
        (header(REQUEST, 64)[:20], "after 20 of 36 bytes"),
        (header(REQUEST, 64) + bytes(40), "after 40 of 64 bytes of the request"),
    ],
)
def test_a_request_that_is_cut_short(site: Site, sent: bytes, words: str) -> None:
    answer, said = answered(site, sent)
    assert answer == b"" and said.code == 1
    one_line(said, SERVER, "the peer ended the connection", words)


@pytest.mark.parametrize("sent", [b"", header(REQUEST, 64) + bytes(40)])
def test_a_client_that_vanishes(site: Site, sent: bytes) -> None:
    """It is there and says no more: a machine without power closes no connection."""
    with site.server("relic-aes-cbc-128", "--timeout-s", "1") as server, server.connected() as connection:
        connection.sendall(sent)
        said = server.end()
    assert said.code == 1
    one_line(said, SERVER, "bytes of the request", "came in time (--timeout-s)")


def test_no_wait_outlasts_its_deadline(tmp_path: Path) -> None:
    """Not even where there is always more to take: a peer that never stops sending would put the end off for ever."""
    sources = [
        data_root() / "experiments" / "channel" / "programs" / "src" / name for name in ("transfer.c", "problem.c")
    ]
    made = tmp_path / "transfer.so"
    subprocess.run(
        ["cc", "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-shared", "-fPIC", *map(str, sources), "-o", str(made)],
        check=True,
    )
    receive = ctypes.CDLL(str(made)).transfer_receive
    sender, receiver = socket.socketpair()
    with sender, receiver:
        sender.sendall(b"more")
        for deadline_ns, returned, taken in ((1, -1, b"\0\0\0\0"), (1 << 62, 0, b"more")):
            data, problem = ctypes.create_string_buffer(4), ctypes.create_string_buffer(4096)
            assert (
                receive(receiver.fileno(), data, ctypes.c_size_t(4), ctypes.c_int64(deadline_ns), b"it", problem)
                == returned
            )
            assert data.raw == taken
            if returned:
                assert problem.value == b"only 0 of 4 bytes of it came in time (--timeout-s)"


@pytest.mark.parametrize("sent", [b"", header(REPLY, 1248)[:10], header(REPLY, 1248) + bytes(1000)])
def test_a_server_that_vanishes(site: Site, sent: bytes) -> None:
    gone = threading.Event()

    def silent(connection: socket.socket) -> None:
        received(connection, HEADER.size + 1232)
        connection.sendall(sent)
        gone.wait(PATIENCE_S)

    with peer(silent) as port:
        client = site.client(port, string(), "relic-aes-cbc-128", "--timeout-s", "1")
        gone.set()
    assert client.code == 1
    one_line(client, CLIENT, "of the reply", "came in time (--timeout-s)")


def test_a_server_that_takes_nothing(site: Site) -> None:
    """The connection stands, and nobody reads: the message does not fit what the system keeps on its own."""
    gone = threading.Event()
    with peer(lambda connection: [gone.wait(PATIENCE_S)].clear()) as port:
        client = site.client(port, image() * 7, "relic-aes-cbc-128", "--timeout-s", "2")
        gone.set()
    assert client.code == 1
    one_line(client, CLIENT, "the peer took only", "bytes of the request in time")


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        (b"", "after 0 of 36 bytes of the reply's header"),
        (header(REPLY, 1248) + bytes(7), "after 7 of 1248 bytes of the reply"),
    ],
)
def test_a_reply_that_is_cut_short(site: Site, sent: bytes, word: str) -> None:
    def cut(connection: socket.socket) -> None:
        received(connection, HEADER.size + 16 + 1216)
        connection.sendall(sent)

    with peer(cut) as port:
        client = site.client(port, string())
    assert client.code == 1
    one_line(client, CLIENT, "the peer ended the connection", word)


def test_a_message_that_is_too_long(site: Site) -> None:
    """The client hears why, though it was still sending: more than the system keeps on its own."""
    with site.server("relic-aes-cbc-128", "--largest-bytes", "1000") as server:
        client, said = site.client(server.port, image() * 7), server.end()
    assert client.code == said.code == 1
    one_line(client, CLIENT, "longer than it takes")
    one_line(said, SERVER, "announces 14665872 bytes", "--largest-bytes")


def test_a_refusal_is_heard_while_there_is_more_to_send(site: Site) -> None:
    """Of a server that takes nothing after it: waiting until it does would be for ever."""
    gone = threading.Event()

    def refuse(connection: socket.socket) -> None:
        received(connection, HEADER.size)
        connection.sendall(refusal(TOO_LONG))
        gone.wait(PATIENCE_S)

    with peer(refuse) as port:
        client = site.client(port, image() * 7)
        gone.set()
    assert client.code == 1
    one_line(client, CLIENT, "longer than it takes")


@pytest.mark.parametrize(
    ("sent", "reason", "word"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n", MALFORMED, "does not speak this protocol"),
        (header(REQUEST, 48, version=2) + bytes(48), MALFORMED, "version 2"),
        (header(REPLY, 48) + bytes(48), MALFORMED, "no request"),
        (header(9, 48) + bytes(48), MALFORMED, "unknown kind 9"),
        (header(REQUEST, 48, mode=77) + bytes(48), OTHER_MODE, "mode 77"),
        (header(REQUEST, 0xFFFFFFFF), TOO_LONG, "4294967295 bytes"),
        (header(REQUEST, 0), UNREADABLE, "could not be opened"),
        (header(REQUEST, 47) + bytes(47), UNREADABLE, "could not be opened"),
    ],
)
def test_what_is_no_request(site: Site, sent: bytes, reason: int, word: str) -> None:
    answer, said = answered(site, sent)
    assert answer == refusal(reason) and said.code == 1
    one_line(said, SERVER, word)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n" + bytes(40), "does not speak this protocol"),
        (header(REPLY, 1 << 31), "announces a reply of 2147483648 bytes"),
        (header(REQUEST, 48), "no reply"),
        (header(REPLY, 48, key_bytes=32) + bytes(48), "another mode or with another key size"),
        (header(REPLY, 48, times=(3, 2, 1)) + bytes(48), "times that do not follow"),
        (header(REPLY, 48, times=(1, 2, 1 << 63)) + bytes(48), "times that do not follow"),
        (refusal(200), "no reason that this program knows"),
    ],
)
def test_what_is_no_reply(site: Site, answer: bytes, word: str) -> None:
    def speak(connection: socket.socket) -> None:
        received(connection, HEADER.size + 16 + 1216)
        connection.sendall(answer)

    with peer(speak) as port:
        client = site.client(port, string())
    assert client.code == 1
    one_line(client, CLIENT, word)


def test_a_server_goes_on_after_each_kind_of_nonsense(site: Site) -> None:
    """Frames with bytes changed at random, and then a true one."""
    source = random.Random("nonsense")
    times = 60
    with site.server("tatu-aes-cbc-128", "--exchanges", str(times + 1)) as server:
        for _ in range(times):
            frame = bytearray(header(REQUEST, 48, mode=AES_CBC) + source.randbytes(48))
            for _ in range(source.randrange(1, 5)):
                frame[source.randrange(HEADER.size)] = source.randrange(256)
            with server.connected() as connection:
                connection.sendall(frame[: source.randrange(len(frame) + 1)])
                connection.shutdown(socket.SHUT_WR)
                received(connection, 1 << 16)
        client, said = site.client(server.port, string(), "tatu-aes-cbc-128"), server.end()
    assert client.code == 0, client.error
    assert said.code == 1 and len(said.error.splitlines()) <= times
    assert said.out[-1]["bytes"] == len(string())
    assert all(line.startswith(f"{SERVER}: ") for line in said.error.splitlines())
