"""A site for the gateway's tests: authority, broker, gateway daemons, and the double of a server. As a context manager
it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from link_site import Authority, Broker, Gateway, Identity, Program, ServerDouble, client_context


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


@contextmanager
def running_site(folder: Path, program: Path) -> Iterator[Site]:
    """A site in this folder whose broker runs; everything that was started in it is ended with it."""
    authority = Authority(folder / "authority")
    broker = Broker(folder / "broker", authority, authority.issue("broker", hosts=("localhost", "127.0.0.1")))
    made = Site(folder, program, authority, broker, authority.issue("server"))
    broker.start()
    try:
        yield made
    finally:
        for each in [*made.gateways, broker]:
            each.kill()
