"""The host side of a block cipher's contract: whole calls."""

from __future__ import annotations

from bancada.monitor.monitor import MONITOR_TIMING, Monitor
from bancada.primitives.block_cipher.numbers import BUFFERS, CHAINS, OPERATIONS
from bancada.primitives.status import accepted

_CHAIN_TIMEOUT_S = 600.0

IV_BYTES = 16
LONGEST_MESSAGE_BLOCKS = 10


class BlockCipherCalls:
    """A block cipher on a device. Keys are set only when they change, as programs do."""

    def __init__(self, monitor: Monitor, block_bytes: int, cbc: str | None) -> None:
        self._monitor = monitor
        self._block_bytes = block_bytes
        self._cbc = cbc
        self._key_set: tuple[str, bytes] | None = None
        self._iv_from_host: bool | None = None

    def _set_key(self, operation: str, key: bytes) -> None:
        if self._key_set == (operation, key):
            return
        self._monitor.write(BUFFERS["key"], key)
        self._monitor.call(OPERATIONS[operation])
        self._key_set = (operation, key)

    def _set_key_for(self, decrypting: bool, key: bytes) -> None:
        self._set_key("set-decrypt-key" if decrypting else "set-key", key)

    def _take_iv_from(self, host: bool) -> None:
        """Where a library that makes its own IV finds it: what the host wrote, or the device's entropy."""
        if self._cbc == "library" and self._iv_from_host != host:
            self._monitor.write(BUFFERS["entropy"], bytes([host]))
            self._iv_from_host = host

    def crypt_block(self, decrypting: bool, key: bytes, data: bytes) -> bytes:
        """One block."""
        self._set_key_for(decrypting, key)
        self._monitor.write(BUFFERS["input"], data)
        self._monitor.call(OPERATIONS["decrypt" if decrypting else "encrypt"])
        return self._monitor.read(BUFFERS["output"], self._block_bytes)

    def crypt_packet(self, decrypting: bool, key: bytes, data: bytes) -> bytes:
        """Many blocks in one call, each for itself (ECB), on a device that takes packets."""
        self._set_key_for(decrypting, key)
        self._monitor.write(BUFFERS["input"], data)
        self._monitor.call(OPERATIONS["decrypt" if decrypting else "encrypt"], length=len(data))
        return self._monitor.read(BUFFERS["output"], len(data))

    def chain_ecb(self, decrypting: bool, key: bytes, data: bytes, rounds: int) -> tuple[bytes, bytes]:
        """AESAVS 6.4.1: `rounds` calls, each fed with the last result; the last result but one, and the last."""
        self._set_key_for(decrypting, key)
        operation = OPERATIONS["decrypt" if decrypting else "encrypt"]
        self._monitor.write(BUFFERS["input"], data)
        self._monitor.call(operation, count=rounds - 1, chain=CHAINS["ecb"], timeout_s=_CHAIN_TIMEOUT_S)
        before_last = self._monitor.read(BUFFERS["output"], self._block_bytes)
        self._monitor.call(operation)
        return before_last, self._monitor.read(BUFFERS["output"], self._block_bytes)

    def crypt_cbc(self, decrypting: bool, key: bytes, iv: bytes, data: bytes) -> bytes:
        """A CBC message with a given IV. Where the library makes the IV, the device's entropy is replaced by `iv`."""
        self._set_key_for(decrypting, key)
        self._take_iv_from(host=True)
        self._monitor.write(BUFFERS["iv"], iv)
        length = len(data)
        if self._cbc == "caller":
            self._monitor.write(BUFFERS["input"], data)
            self._monitor.call(OPERATIONS["cbc-decrypt"] if decrypting else OPERATIONS["cbc-encrypt"], length=length)
            return self._monitor.read(BUFFERS["input"], length)
        if decrypting:
            self._monitor.write(BUFFERS["input"], iv + data)
            self._monitor.call(OPERATIONS["cbc-decrypt"], length=length)
            return self._monitor.read(BUFFERS["output"], length)
        self._monitor.write(BUFFERS["input"], data)
        self._monitor.call(OPERATIONS["cbc-encrypt"], length=length)
        return self._monitor.read(BUFFERS["output"], IV_BYTES + length)[IV_BYTES:]

    def chain_cbc(self, decrypting: bool, key: bytes, iv: bytes, data: bytes, rounds: int) -> tuple[bytes, bytes]:
        """AESAVS 6.4.2 for a library that takes the IV or makes it; the last result but one, and the last."""
        if self._cbc == "library" and decrypting:
            return self._chain_cbc_by_host(key, iv, data, rounds)
        self._set_key_for(decrypting, key)
        operation = OPERATIONS["cbc-decrypt"] if decrypting else OPERATIONS["cbc-encrypt"]
        chain = CHAINS["cbc-decrypt"] if decrypting else CHAINS["cbc-encrypt"]
        self._take_iv_from(host=True)
        self._monitor.write(BUFFERS["iv"], iv)
        self._monitor.write(BUFFERS["input"], data)
        if decrypting:
            self._monitor.write(BUFFERS["output"], iv)
        self._monitor.call(operation, self._block_bytes, rounds - 1, chain, timeout_s=_CHAIN_TIMEOUT_S)
        before_last = self._last_cbc_result()
        self._monitor.call(operation, self._block_bytes, 1, chain)
        return before_last, self._last_cbc_result()

    def _last_cbc_result(self) -> bytes:
        if self._cbc == "library":
            return self._monitor.read(BUFFERS["output"], IV_BYTES + self._block_bytes)[IV_BYTES:]
        return self._monitor.read(BUFFERS["output"], self._block_bytes)

    def _chain_cbc_by_host(self, key: bytes, iv: bytes, data: bytes, rounds: int) -> tuple[bytes, bytes]:
        before_last, last = b"", iv
        for _ in range(rounds):
            result = self.crypt_cbc(True, key, iv, data)
            iv, data = data, last
            before_last, last = last, result
        return before_last, last

    def fresh_iv_message(self, key: bytes, data: bytes) -> bytes | None:
        """IV and ciphertext of a message whose IV the library made on the device; None if it refused."""
        self._set_key_for(False, key)
        self._take_iv_from(host=False)
        self._monitor.write(BUFFERS["input"], data)
        returned, _ = self._monitor.call(OPERATIONS["cbc-encrypt"], length=len(data), timeout_s=_CHAIN_TIMEOUT_S)
        if returned != 0:
            return None
        return self._monitor.read(BUFFERS["output"], IV_BYTES + len(data))

    def prepare_timed_call(self, operation: str, key: bytes, data: bytes) -> None:
        """Fills the buffers and sets the key that the operation needs, so that only the call remains."""
        self._key_set = None
        self._monitor.write(BUFFERS["key"], key)
        self._monitor.write(BUFFERS["input"], data)
        if operation in ("encrypt", "decrypt"):
            needed = "set-key" if operation == "encrypt" else "set-decrypt-key"
            accepted(self._monitor.call(OPERATIONS[needed]), needed)

    def timed_call(self, operation: str, length: int = 0) -> int:
        """One call for its time only: cycles on the device's own timer, the cost of an empty region included."""
        answer = self._monitor.call(OPERATIONS[operation], length, chain=MONITOR_TIMING, timeout_s=_CHAIN_TIMEOUT_S)
        return accepted(answer, operation)
