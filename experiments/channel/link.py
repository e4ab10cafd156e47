"""The link between client and server, with its rate and delay stated.

It is made by the kernel (two network namespaces, `tc netem`) where possible, otherwise by our program in user space
(programs/src/link.c).
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from bancada.model.errors import UserError

from .failure import failure

# One frame on an Ethernet: payload of TCP with time stamps, and what frames it (14 + 20 + 32). programs/src/segments.h
# has the same.
SEGMENT_PAYLOAD_BYTES = 1448
SEGMENT_OVERHEAD_BYTES = 66

_LOOPBACK = "127.0.0.1"
_CLIENT_ADDRESS, _SERVER_ADDRESS = "10.201.7.1", "10.201.7.2"
_LISTENING_WITHIN_S = 10.0
# Twice the data that a message of two megabytes can have in transit: the queue of a shaped interface must lose nothing.
_QUEUE_BYTES = 16_000_000
_QUEUE_FRAMES = 20_000


class Maker(StrEnum):
    """The program that makes the link."""

    LOOPBACK = "loopback, not shaped"
    NETEM = "two network namespaces, tc netem"
    TBF = "two network namespaces, tc tbf"
    USER_SPACE = "user-space shaper"


@dataclass(frozen=True)
class Link:
    """A rate of the whole frames, each way, and a delay each way; no rate is the loopback as it is."""

    rate_bits_per_s: float | None
    delay_us: float

    @property
    def name(self) -> str:
        """As a person reads it."""
        if self.rate_bits_per_s is None:
            return "loopback"
        return f"{self.rate_bits_per_s / 1e6:g} Mbit/s, {self.delay_us / 1000:g} ms"


@dataclass(frozen=True)
class Ends:
    """How the two programs are started: words before each command, and the server's port as the client sees it."""

    client_words: tuple[str, ...]
    server_words: tuple[str, ...]
    server_address: str
    connect: Callable[[int], Any]


def listening_port(process: subprocess.Popen[str], what: str) -> int:
    """The port in the line that a program prints when it listens. UserError with its message if it does not."""
    assert process.stdout is not None
    assert process.stderr is not None
    ready, _, _ = select.select([process.stdout], [], [], _LISTENING_WITHIN_S)
    line = process.stdout.readline() if ready else ""
    if not line:
        process.kill()
        raise failure(f"The {what} does not listen", process.stderr.read())
    port: int = json.loads(line)["listening"]
    return port


@contextmanager
def _shaper(program: Path, link: Link, server_port: int) -> Iterator[int]:
    words = [str(program), "0", str(server_port), f"{link.rate_bits_per_s:.0f}", f"{link.delay_us:.0f}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield listening_port(process, "link")
        finally:
            process.kill()


def _run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise UserError(f"`{' '.join(words)}` failed: {(done.stderr.strip().splitlines() or ['it said nothing'])[-1]}")


def _shaping(maker: Maker, link: Link) -> list[str]:
    """What `tc qdisc add dev DEVICE root` is told."""
    assert link.rate_bits_per_s is not None
    rate = f"{link.rate_bits_per_s:.0f}bit"
    if maker is Maker.NETEM:
        return ["netem", "rate", rate, "delay", f"{link.delay_us:.0f}us", "limit", str(_QUEUE_FRAMES)]
    # A bucket of two milliseconds, or of two whole frames: more would let the beginning of a message through unshaped.
    burst = max(3100, round(link.rate_bits_per_s / 8 * 0.002))
    return ["tbf", "rate", rate, "burst", str(burst), "limit", str(_QUEUE_BYTES)]


@contextmanager
def _namespaces(maker: Maker, link: Link) -> Iterator[Ends]:
    mark = f"bnch{os.getpid()}x{time.monotonic_ns() % 1_000_000}"
    ends = ((f"{mark}c", f"{_CLIENT_ADDRESS}/30"), (f"{mark}s", f"{_SERVER_ADDRESS}/30"))
    with ExitStack() as stack:
        for name, _ in ends:
            _run(["ip", "netns", "add", name])
            stack.callback(subprocess.run, ["ip", "netns", "del", name], capture_output=True)
        _run(
            [
                "ip",
                "-n",
                ends[0][0],
                "link",
                "add",
                "channel",
                "type",
                "veth",
                "peer",
                "name",
                "channel",
                "netns",
                ends[1][0],
            ]
        )
        for name, address in ends:
            _run(["ip", "-n", name, "address", "add", address, "dev", "channel"])
            _run(["ip", "-n", name, "link", "set", "channel", "up"])
            _run(["tc", "-n", name, "qdisc", "add", "dev", "channel", "root", *_shaping(maker, link)])

        @contextmanager
        def connect(server_port: int) -> Iterator[int]:
            yield server_port

        inside = [("ip", "netns", "exec", name) for name, _ in ends]
        yield Ends(inside[0], inside[1], _SERVER_ADDRESS, connect)


@cache
def why_not(maker: Maker) -> str | None:
    """Why this machine cannot make such a link, found by trying. None if it can."""
    if maker in (Maker.LOOPBACK, Maker.USER_SPACE):
        return None
    for tool in ("ip", "tc"):
        if shutil.which(tool) is None:
            return f"the program '{tool}' is not installed (apt-get install iproute2)"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    try:
        with _namespaces(maker, Link(1e6, 0)):
            return None
    except UserError as error:
        return f"this kernel makes no such link ({str(error).rsplit('failed: ', 1)[-1].rstrip('.')})"


def best_maker(link: Link) -> Maker:
    """The kernel's link where it can be made, otherwise ours."""
    if link.rate_bits_per_s is None:
        return Maker.LOOPBACK
    return Maker.NETEM if why_not(Maker.NETEM) is None else Maker.USER_SPACE


@contextmanager
def open_link(link: Link, maker: Maker, shaper: Path) -> Iterator[Ends]:
    """The link, for as long as the block runs; `shaper` is the program channel-link. UserError if it cannot be made."""
    if maker in (Maker.NETEM, Maker.TBF):
        if maker is Maker.TBF and link.delay_us:
            raise UserError(
                f"tc tbf shapes a rate and delays nothing: a link of {link.name} is made by tc netem or by the "
                "user-space shaper."
            )
        with _namespaces(maker, link) as path:
            yield path
        return

    @contextmanager
    def connect(server_port: int) -> Iterator[int]:
        if maker is Maker.LOOPBACK:
            yield server_port
        else:
            with _shaper(shaper, link, server_port) as port:
                yield port

    yield Ends((), (), _LOOPBACK, connect)
