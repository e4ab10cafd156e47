"""Runs exchanges between a client and a server over a link, and measures each part."""

from __future__ import annotations

import json
import secrets
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bancada.model.errors import UserError

from .built_programs import PROTECTIONS, Programs
from .failure import STEP_TIMEOUT_S, failure
from .link import Link, Maker, listening_port, open_link


@dataclass(frozen=True)
class Exchange:
    """One exchange, in ns, as the study defines its parts; `processing` is what the server does between its two."""

    client_encrypt_ns: int
    server_decrypt_ns: int
    server_encrypt_ns: int
    client_decrypt_ns: int
    transmission_ns: float
    processing_ns: int
    total_ns: int

    @property
    def cryptography_ns(self) -> int:
        """All four."""
        return self.client_encrypt_ns + self.server_decrypt_ns + self.server_encrypt_ns + self.client_decrypt_ns


def _exchange(times: dict[str, int]) -> Exchange:
    t0, t1, t6, t7 = (times[f"t{n}_ns"] for n in (0, 1, 6, 7))
    t3, t4, t5 = (times[f"t{n}_after_t2_ns"] for n in (3, 4, 5))
    return Exchange(
        client_encrypt_ns=t1 - t0,
        server_decrypt_ns=t3,
        server_encrypt_ns=t5 - t4,
        client_decrypt_ns=t7 - t6,
        transmission_ns=(t6 - t1 - t5) / 2,
        processing_ns=t4 - t3,
        total_ns=t7 - t0,
    )


def _same(paths: tuple[Path, Path], message: bytes) -> None:
    """The study's comparison: both stored copies, with each other and with what was sent."""
    copies = [path.read_bytes() for path in paths]
    if copies[0] != copies[1] or copies[0] != message:
        raise UserError("The copies that client and server stored are not the message that was sent.")


def exchange(
    programs: Programs, protection: str, message: bytes, link: Link, maker: Maker, times: int
) -> tuple[Exchange, ...]:
    """`times` exchanges of a message under a fresh key, each over a connection of its own.

    UserError, with what the program said, if one fails or the stored copies differ.
    """
    key = secrets.token_hex(PROTECTIONS[protection][1] // 8)
    with tempfile.TemporaryDirectory(prefix="channel-") as name, open_link(link, maker, programs.link) as ends:
        folder = Path(name)
        paths = {part: folder / part for part in ("key", "message", "server-copy", "client-copy")}
        paths["key"].touch(mode=0o600)
        paths["key"].write_text(key)
        paths["message"].write_bytes(message)
        common = [
            "--mode",
            protection,
            "--key-file",
            str(paths["key"]),
            "--exchanges",
            str(times),
            "--timeout-s",
            str(STEP_TIMEOUT_S),
            "--address",
            ends.server_address,
        ]
        serve = [*ends.server_words, str(programs.server), *common, "--port", "0", "--store", str(paths["server-copy"])]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
            try:
                with ends.connect(listening_port(server, "server")) as port:
                    ask = [
                        *ends.client_words,
                        str(programs.client),
                        *common,
                        "--port",
                        str(port),
                        "--message",
                        str(paths["message"]),
                        "--store",
                        str(paths["client-copy"]),
                    ]
                    client = subprocess.run(
                        ask, capture_output=True, text=True, timeout=2 * STEP_TIMEOUT_S * times, check=False
                    )
                    if client.returncode != 0:
                        raise failure("An exchange failed", client.stderr)
                    _, server_said = server.communicate(timeout=STEP_TIMEOUT_S)
            except subprocess.TimeoutExpired as error:
                raise failure(
                    "An exchange failed", f"{len(message)} bytes did not come and go in time, {error.timeout:.0f} s"
                ) from error
            finally:
                server.kill()
        if server.returncode != 0:
            raise failure("An exchange failed", server_said)
        _same((paths["client-copy"], paths["server-copy"]), message)
    return tuple(_exchange(json.loads(line)) for line in client.stdout.splitlines())
