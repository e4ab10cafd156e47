"""Starts the channel's programs, and speaks their protocol by hand where a peer must misbehave."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from experiments.channel.built_programs import Programs
from experiments.channel.link import listening_port

# programs/src/frame.h
HEADER = struct.Struct(">4sBBBBIQQQ")
MAGIC, VERSION = b"BNCH", 1
REQUEST, REPLY, REFUSAL = 1, 2, 3
AES_CBC, AES_CCM, ASCON = 1, 2, 3
UNREADABLE, TOO_LONG, OTHER_MODE, MALFORMED = 1, 2, 3, 4

KEYS = {16: "000102030405060708090a0b0c0d0e0f", 24: "00" * 24, 32: "ff" * 32}
CLIENT, SERVER, LINK = "channel-client", "channel-server", "channel-link"
ASCON_PROTECTION = "tatu-ascon-aead128"

# A test that waits as long as this has failed.
PATIENCE_S = 60


def header(
    kind: int,
    body_bytes: int,
    mode: int = AES_CBC,
    key_bytes: int = 16,
    magic: bytes = MAGIC,
    version: int = VERSION,
    times: tuple[int, int, int] = (0, 0, 0),
) -> bytes:
    return HEADER.pack(magic, version, kind, mode, key_bytes, body_bytes, *times)


def received(connection: socket.socket, length: int) -> bytes:
    """Exactly so many bytes, or what came before the end."""
    data = b""
    while len(data) < length:
        some = connection.recv(length - len(data))
        if not some:
            break
        data += some
    return data


@dataclass
class Said:
    """What a program that has ended said."""

    code: int
    out: list[dict[str, int]]
    error: str


class Server:
    """A server that is listening; `end` waits until it has."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self._process = process
        self.port = port

    def end(self) -> Said:
        out, error = self._process.communicate(timeout=PATIENCE_S)
        return Said(self._process.returncode, [json.loads(line) for line in out.splitlines()], error)

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)


@dataclass
class Site:
    """A folder with a key, a message, and places to store."""

    programs: Programs
    folder: Path

    def path(self, name: str) -> Path:
        return self.folder / name

    def key_file(self, text: str) -> Path:
        path = self.path(f"key-{len(text)}-{abs(hash(text))}")
        path.write_text(text)
        return path

    def message(self, data: bytes) -> Path:
        path = self.path("message")
        path.write_bytes(data)
        return path

    def _words(self, protection: str, key: str | None, store: str) -> list[str]:
        key_bytes = 32 if protection.endswith("256") else 24 if protection.endswith("192") else 16
        return [
            "--mode",
            protection,
            "--key-file",
            str(self.key_file(key or KEYS[key_bytes])),
            "--store",
            str(self.path(store)),
        ]

    @contextmanager
    def server(
        self, protection: str = "relic-aes-cbc-128", *more: str, key: str | None = None, store: str = "server-copy"
    ) -> Iterator[Server]:
        words = [
            str(self.programs.server),
            *self._words(protection, key, store),
            "--port",
            "0",
            "--timeout-s",
            "20",
            *more,
        ]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                yield Server(process, listening_port(process, "server"))
            finally:
                process.kill()

    def client(
        self, port: int, data: bytes, protection: str = "relic-aes-cbc-128", *more: str, key: str | None = None
    ) -> Said:
        words = [
            str(self.programs.client),
            *self._words(protection, key, "client-copy"),
            "--port",
            str(port),
            "--timeout-s",
            "20",
            "--message",
            str(self.message(data)),
            *more,
        ]
        return run(words)


def run(words: list[str]) -> Said:
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)
    return Said(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr)


def one_line(said: Said, program: str, *words: str) -> None:
    """The error is one sentence on one line that holds these words."""
    assert said.error.startswith(f"{program}: ") and said.error.count("\n") == 1, said.error
    for word in words:
        assert word in said.error, said.error


@contextmanager
def peer(act: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that is not ours: takes one connection and does as it is told."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE_S)

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(PATIENCE_S)
                act(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(PATIENCE_S)


@contextmanager
def between(server_port: int, change: Callable[[bytes, bytes], bytes], towards: str) -> Iterator[int]:
    """Someone on the way who changes a frame: `change` has its header and body and gives what goes on, `towards` the
    server or the client.
    """

    def act(client: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", server_port), timeout=PATIENCE_S) as server:
            for source, sink, name in ((client, server, "server"), (server, client, "client")):
                head = received(source, HEADER.size)
                body = received(source, HEADER.unpack(head)[5]) if len(head) == HEADER.size else b""
                sink.sendall(change(head, body) if towards == name else head + body)

    with peer(act) as port:
        yield port


def flipped(place: int) -> Callable[[bytes, bytes], bytes]:
    def change(head: bytes, body: bytes) -> bytes:
        frame = bytearray(head + body)
        frame[place] ^= 1
        return bytes(frame)

    return change


def refusal(reason: int) -> bytes:
    return header(REFUSAL, 0, mode=reason, key_bytes=0)


def answered(site: Site, request: bytes, *more: str, protection: str = "relic-aes-cbc-128") -> tuple[bytes, Said]:
    """What the server answers to a request made by hand, and what it says itself."""
    with site.server(protection, *more) as server:
        with server.connected() as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            answer = received(connection, HEADER.size)
        return answer, server.end()
