"""A relay between a browser and the page that counts what the browser gets, heads included."""

from __future__ import annotations

import contextlib
import socket
import threading


class Relay:
    def __init__(self, port: int) -> None:
        self.received = 0
        self._to = port
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                for source, target, counts in ((browser, server, False), (server, browser, True)):
                    threading.Thread(target=self._pump, args=(source, target, counts), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                if counts:
                    with self._lock:
                        self.received += len(part)
                target.sendall(part)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
