"""Fixtures of the link's tests: a site with its authority, its broker and its gateway daemon."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from link_site import Authority, Broker, Gateway, Identity, Program, ServerDouble, client_context
from server_support import farm, new_database, postgres  # noqa: F401

from bancada.link.binaries import GATEWAY, binary


@pytest.fixture(scope="session")
def gateway_program() -> Path:
    """The daemon, built if need be. BANCADA_LINK_GATEWAY names another build of it, for example one with a sanitiser."""
    return Path(os.environ.get("BANCADA_LINK_GATEWAY") or binary(GATEWAY))


@dataclass
class Site:
    """Everything that a gateway needs to work, and its server's double."""

    folder: Path
    program: Path
    authority: Authority
    broker: Broker
    server_identity: Identity
    gateways: list[Program] = field(default_factory=list)

    def gateway(self, name: str = "gw-a", **settings: object) -> Gateway:
        made = Gateway(
            binary=self.program,
            folder=settings.pop("folder", self.folder),  # type: ignore[arg-type]
            authority=settings.pop("authority", self.authority),  # type: ignore[arg-type]
            identity=settings.pop("identity", None) or self.authority.issue(name),  # type: ignore[arg-type]
            port=settings.pop("port", self.broker.port),  # type: ignore[arg-type]
            name=name,
            **settings,  # type: ignore[arg-type]
        )
        self.gateways.append(made)
        return made

    def server(self) -> ServerDouble:
        return ServerDouble(self.broker.port, client_context(self.authority, self.server_identity))


@pytest.fixture
def site(tmp_path: Path, gateway_program: Path) -> Iterator[Site]:
    """A site whose broker runs; everything that was started in it is ended with it."""
    authority = Authority(tmp_path / "authority")
    broker = Broker(tmp_path / "broker", authority, authority.issue("broker", hosts=("localhost", "127.0.0.1")))
    made = Site(tmp_path, gateway_program, authority, broker, authority.issue("server"))
    broker.start()
    yield made
    for program in [*made.gateways, broker]:
        program.kill()
