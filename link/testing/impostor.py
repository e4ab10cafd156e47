"""A server that is not the site's: whatever connects to it must say nothing."""

from __future__ import annotations

import socket
import ssl
import threading

from link_site import DEADLINE_S, Identity


class Impostor:
    """Answers at a port with TLS, and remembers whether anybody said anything to it."""

    def __init__(self, identity: Identity, newest: ssl.TLSVersion) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.maximum_version = newest
        context.load_cert_chain(identity.certificate, identity.key)
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.visits = 0
        self.heard = b""
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._listener.accept()
            except OSError:
                return
            self.visits += 1
            visitor.settimeout(DEADLINE_S)
            try:
                with self._context.wrap_socket(visitor, server_side=True) as tls:
                    self.heard += tls.recv(1000)
            except OSError:
                continue

    def close(self) -> None:
        self._listener.close()
