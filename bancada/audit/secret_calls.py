"""Calls of an operation with secrets of one's choice and everything else the same; and which bytes of the device are secret.

Buffers and operations are those of harness/src/operations_<primitive>.c.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from bancada.errors import UserError
from bancada.monitor import DeviceError, Monitor, NoSuchBuffer
from bancada.records import Firmware
from bancada.vectors.aead import seal
from bancada.vectors.signature import is_rsa, key_pair

# Messages end within a block of every algorithm, and have more than one of most.
MESSAGE_BYTES = 72
_ASSOCIATED_BYTES = 16
_SEED_BYTES = 16
_RSA_EXPONENT_BYTES = 4
# The first bytes of a number say how long it is. A prime's length is everyone's: libraries that count bits and then work on so many
# words would otherwise leak it everywhere.
_RSA_PUBLIC_BYTES = 4

_OPERATIONS = {
    "block-cipher": {"set-key": 1, "encrypt": 2, "set-decrypt-key": 3, "decrypt": 4},
    "aead": {"set-key": 1, "encrypt": 2, "decrypt": 4},
    "hash": {"hash": 2},
    "mac": {"set-key": 1, "mac": 2},
    "keystream": {"set-key": 1, "keystream": 2},
    "signature": {"set-key": 1, "sign": 2},
}
_SET_KEYS = ("set-key", "set-decrypt-key")

_KEY, _NONCE, _DATA, _TAG, _ASSOCIATED, _ASSOCIATED_LENGTH = 0, 1, 2, 3, 5, 6
_SEED, _DIGEST, _INPUT, _MESSAGE = 1, 2, 2, 2
# A keystream's messages (harness/src/operations_hash.c): more than the blocks that a kernel makes at once, and a part of one.
_STREAM, _STREAM_INPUT, _STREAM_BYTES = 3, 4, 712


@dataclass(frozen=True)
class Secret:
    """Secret bytes of a buffer: its number for the monitor, and the variable that it is."""

    buffer: int
    symbol: str
    offset: int
    length: int


def audited_operations(firmware: Firmware) -> tuple[str, ...]:
    """The operations of a firmware that have a secret; verification and parsing have none."""
    known = _OPERATIONS.get(firmware.primitive, {})
    extra = ("set-key",) if firmware.primitive == "signature" else ()
    return tuple(name for name in (*extra, *firmware.operations) if name in known)


def _is_keyed(firmware: Firmware) -> bool:
    return firmware.key_bits > 0


def _rsa_secrets(field_bytes: int) -> tuple[Secret, ...]:
    """d, p, q, d mod (p-1), d mod (q-1), 1/q mod p (harness/include/bancada/signature.h), each but for its first bytes."""
    prime_bytes = field_bytes // 2
    found = []
    at = field_bytes + _RSA_EXPONENT_BYTES
    for length in (field_bytes, *[prime_bytes] * 5):
        found.append(Secret(_KEY, "key", at + _RSA_PUBLIC_BYTES, length - _RSA_PUBLIC_BYTES))
        at += length
    return tuple(found)


def secrets_of(firmware: Firmware, operation: str) -> tuple[Secret, ...]:
    """What is secret: keys, plaintexts, hashed messages, nonces of signatures. Ciphertexts, tags, other nonces and digests are not."""
    key = Secret(_KEY, "key", 0, firmware.key_bits // 8)
    primitive = firmware.primitive
    if primitive == "signature":
        seed = Secret(_SEED, "seed", 0, _SEED_BYTES)
        field = firmware.key_bits // 8
        if is_rsa(firmware.algorithm):
            return *_rsa_secrets(field), seed
        return Secret(_KEY, "key", 0, field), seed
    if operation in _SET_KEYS or primitive == "keystream":
        return (key,)
    if primitive == "block-cipher":
        return key, Secret(_INPUT, "input", 0, firmware.block_bytes)
    if primitive == "aead":
        return (key, Secret(_DATA, "data", 0, MESSAGE_BYTES)) if operation == "encrypt" else (key,)
    message = Secret(_MESSAGE, "message", 0, MESSAGE_BYTES)
    return (key, message) if _is_keyed(firmware) else (message,)


class SecretCalls:
    """An operation on one device."""

    def __init__(self, monitor: Monitor, firmware: Firmware, operation: str) -> None:
        self._monitor = monitor
        self._firmware = firmware
        self._operation = operation
        self._numbers = _OPERATIONS[firmware.primitive]
        self._takes_messages = False

    def prepare(self, source: random.Random) -> None:
        """Secrets from `source`, the same of everything else; sets the key where the operation needs one set."""
        firmware = self._firmware
        if firmware.primitive == "signature":
            self._prepare_signature(source)
            return
        key = source.randbytes(firmware.key_bits // 8)
        if firmware.primitive == "block-cipher":
            self._monitor.write(_INPUT, source.randbytes(firmware.block_bytes))
        elif firmware.primitive == "aead":
            self._prepare_aead(key, source.randbytes(MESSAGE_BYTES))
        elif firmware.primitive == "keystream":
            self._monitor.write(_MESSAGE, bytes(range(firmware.block_bytes)))
            self._prepare_stream()
        else:
            self._monitor.write(_MESSAGE, source.randbytes(MESSAGE_BYTES))
        if _is_keyed(firmware):
            self._monitor.write(_KEY, key)
            self._set_key()

    def _prepare_stream(self) -> None:
        try:
            self._monitor.write(_STREAM_INPUT, bytes(_STREAM_BYTES))
            self._takes_messages = True
        except NoSuchBuffer:  # one block at a time, on this device or in this library
            self._takes_messages = False

    def _prepare_aead(self, key: bytes, plaintext: bytes) -> None:
        firmware = self._firmware
        nonce, associated = bytes(range(firmware.nonce_bytes)), bytes(range(_ASSOCIATED_BYTES))
        self._monitor.write(_NONCE, nonce)
        self._monitor.write(_ASSOCIATED, associated)
        self._monitor.write(_ASSOCIATED_LENGTH, bytes([_ASSOCIATED_BYTES]))
        if self._operation == "decrypt":
            ciphertext, tag = seal(firmware.algorithm, key, nonce, associated, plaintext, firmware.tag_bytes)
            self._monitor.write(_DATA, ciphertext)
            self._monitor.write(_TAG, tag)
        else:
            self._monitor.write(_DATA, plaintext)

    def _prepare_signature(self, source: random.Random) -> None:
        # The seed goes first: it is secret from the first region on, which is that of the key.
        self._monitor.write(_SEED, source.randbytes(_SEED_BYTES))
        self._monitor.write(_DIGEST, bytes(range(1, self._firmware.digest_bytes + 1)))
        self._monitor.write(_KEY, key_pair(self._firmware.algorithm, source).private)
        self._set_key()

    def _set_key(self) -> None:
        """Not for the operations that set a key: they are the call."""
        if self._operation in _SET_KEYS:
            return
        decrypts = self._firmware.primitive == "block-cipher" and self._operation == "decrypt"
        returned, _ = self._monitor.call(self._numbers["set-decrypt-key" if decrypts else "set-key"])
        if returned != 0:
            raise DeviceError(f"{self._firmware.implementation} refused a key.")

    def call(self) -> None:
        """The call that is audited, of a keystream a block and a message. DeviceError if the implementation says that it failed."""
        is_message = self._firmware.primitive in ("aead", "hash", "mac")
        length = MESSAGE_BYTES if is_message else self._firmware.block_bytes
        returned, _ = self._monitor.call(self._numbers[self._operation], length=length)
        if returned == 0 and self._takes_messages and self._operation not in _SET_KEYS:
            returned, _ = self._monitor.call(_STREAM, length=_STREAM_BYTES)
        if returned != 0:
            raise DeviceError(f"{self._firmware.implementation} failed at '{self._operation}' with what is right: see what bancada check says of it.")


def chosen_operations(firmware: Firmware, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Of the operations with a secret those that are asked for, or all. UserError if there is none of them."""
    known = audited_operations(firmware)
    if not known:
        raise UserError(
            f"{firmware.implementation} is a {firmware.primitive}, which has no audit of its own: audit the hash and the signature in it."
        )
    for name in asked:
        if name not in known:
            raise UserError(f"{firmware.implementation} has no operation '{name}' with a secret in it; it has {', '.join(known)}.")
    return asked or known
