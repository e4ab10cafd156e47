"""A key exchange on one device."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bancada.monitor.monitor import MONITOR_TIMING, Facts, Monitor
from bancada.primitives.key_exchange.algorithm import Exchange, KeyExchangeAlgorithm
from bancada.primitives.key_exchange.numbers import BUFFERS, OPERATIONS
from bancada.primitives.primitive import CaseView, Check, FirmwareView
from bancada.primitives.status import accepted

_RANDOM_KEYS = 2
_RANDOM_KEYS_FULL = 40
_REFUSED = "refused"


class KeyExchangeClient:
    """A key exchange on one device."""

    def __init__(
        self,
        monitor: Monitor,
        facts: Facts,
        firmware: FirmwareView,
        algorithm: KeyExchangeAlgorithm,
        with_decrypt: bool,
    ) -> None:
        self._monitor = monitor
        self._algorithm = algorithm
        self._key_bits = firmware.key_bits
        self._result_bytes = {
            "public-key": algorithm.public_key_bytes or firmware.key_bits // 8,
            "shared-secret": firmware.key_bits // 8,
        }

    def _result(self, operation: str) -> str:
        """What the device answers, as text."""
        if self._monitor.call(OPERATIONS[operation])[0] != 0:
            return _REFUSED
        return self._monitor.read(BUFFERS["result"], self._result_bytes[operation]).hex()

    def _random_key(self, source: random.Random) -> bytes:
        return self._algorithm.random_secret_key(source, self._key_bits)

    def _public_key(self, secret_key: bytes) -> str:
        self._monitor.write(BUFFERS["secret-key"], secret_key)
        return self._result("public-key")

    def _shared_secret(self, secret_key: bytes, peer_key: bytes) -> str:
        self._monitor.write(BUFFERS["secret-key"], secret_key)
        self._monitor.write(BUFFERS["peer-key"], peer_key)
        return self._result("shared-secret")

    def _exchange(self, vector: Exchange) -> tuple[str, str]:
        expected = _REFUSED if vector.must_be_refused else vector.shared_secret.hex()
        got = self._shared_secret(vector.secret_key, vector.peer_key)
        if got == _REFUSED and vector.may_be_refused:
            expected = _REFUSED
        return expected, got

    def checks(self, full: bool) -> Iterator[Check]:
        """Official vectors, then secret keys at the ends and random ones: the public key, and both ends' secret."""
        for vector in self._algorithm.exchanges(full):
            yield Check(vector.name, lambda vector=vector: self._exchange(vector))  # type: ignore[misc]
        source = random.Random(f"{self._algorithm.name} {self._key_bits // 8}")
        count = _RANDOM_KEYS_FULL if full else _RANDOM_KEYS
        for secret_key in (*self._algorithm.edges, *(self._random_key(source) for _ in range(count))):
            what = f"secret key {secret_key[:4].hex()}...{secret_key[-4:].hex()}"
            yield Check(
                f"{what}, public key",
                lambda secret_key=secret_key: (  # type: ignore[misc]
                    self._algorithm.public_key(secret_key).hex(),
                    self._public_key(secret_key),
                ),
            )
            peer_key = self._algorithm.public_key(self._random_key(source))
            shared_secret = self._algorithm.shared_secret(secret_key, peer_key)
            vector = Exchange(f"{what}, shared secret", secret_key, peer_key, shared_secret)
            yield Check(vector.name, lambda vector=vector: self._exchange(vector))  # type: ignore[misc]

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """A random secret key, and another's public key."""
        self._monitor.write(BUFFERS["secret-key"], self._random_key(source))
        self._monitor.write(BUFFERS["peer-key"], self._algorithm.public_key(self._random_key(source)))

    def call(self, case: CaseView) -> int:
        """One public key or shared secret."""
        return accepted(self._monitor.call(OPERATIONS[case.operation], chain=MONITOR_TIMING), case.operation)

    def context_bytes(self, operation: str) -> int:
        """Nothing is kept but the keys themselves."""
        return 0
