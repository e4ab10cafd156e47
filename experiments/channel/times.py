"""The times: modelled on the devices, measured on this machine, and both combined with a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bancada.model.finding import Observation
from bancada.model.result import Result
from bancada.model.status import Status

from .built_programs import PROTECTIONS
from .link import Link
from .messages import IMAGE_BYTES, STRING_BYTES
from .share import rate_at_share, share

MESSAGE_BYTES = {"string": STRING_BYTES, "image": IMAGE_BYTES}
STUDY_PROTECTIONS = {bits: f"relic-aes-cbc-{bits}" for bits in (128, 192, 256)}
KEY_BITS = tuple(STUDY_PROTECTIONS)
# What is compared: the study's own mode, the same mode without tables, and modes that authenticate.
COMPARED = ("relic-aes-cbc-128", "tatu-aes-cbc-128", "tatu-aes-ccm-128", "tatu-ascon-aead128")
TITLES = {
    **{f"relic-aes-cbc-{bits}": f"RELIC AES-{bits}-CBC" for bits in KEY_BITS},
    **{f"tatu-aes-cbc-{bits}": f"Tatu AES-{bits}-CBC" for bits in KEY_BITS},
    **{f"tatu-aes-ccm-{bits}": f"Tatu AES-{bits}-CCM" for bits in KEY_BITS},
    "tatu-ascon-aead128": "Tatu Ascon-AEAD128",
}
DEVICES = {"rpi3": "Raspberry Pi 3B", "bbb": "BeagleBone Black"}
# The same board under a 64-bit and a 32-bit system. The study does not say which it had.
STATES = {"rpi3": "64-bit", "rpi3-arm": "32-bit"}
DIRECTIONS = ("encrypt", "decrypt")
_SAMPLES = {
    "encrypt": ("client_encrypt_ns", "server_encrypt_ns"),
    "decrypt": ("client_decrypt_ns", "server_decrypt_ns"),
}
# IV and a block of padding for a message of whole blocks; nonce and tag.
ADDED_BYTES = {"cbc": 32, "ccm": 28, "ascon": 32}


def sent_bytes(protection: str, message_bytes: int) -> int:
    """What of a message is sent: bancada/primitives/mode/contract.h."""
    if "-cbc-" in protection:
        return 16 + message_bytes + 16 - message_bytes % 16
    return message_bytes + (28 if "-ccm-" in protection else 32)


@dataclass(frozen=True)
class Modelled:
    """One operation on one device."""

    time_s: float
    cycles_per_byte: float
    band_percent: float


class Times:
    """All modelled and measured times, by name."""

    def __init__(self, results: Sequence[Result], observations: Sequence[Observation]) -> None:
        self._results = {
            (result.target, result.implementation, result.operation, result.size_bytes): result
            for result in results
            if result.primitive == "mode" and result.status is Status.OK and result.time_us is not None
        }
        self._observations = {(observation.kind, observation.name): observation for observation in observations}

    def modelled(self, target: str, protection: str, operation: str, size_bytes: int) -> Modelled | None:
        found = self._results.get((target, PROTECTIONS[protection][0], operation, size_bytes))
        if found is None or found.time_us is None or found.cycles_median is None:
            return None
        return Modelled(found.time_us / 1e6, found.cycles_median / size_bytes, found.fidelity_band_percent or 0.0)

    def sizes(self, target: str, protection: str) -> list[int]:
        implementation = PROTECTIONS[protection][0]
        return sorted({size for place, name, _, size in self._results if (place, name) == (target, implementation)})

    def cryptography_s(self, target: str, protection: str, size_bytes: int) -> float | None:
        """Of an exchange between two such devices: each encrypts once and decrypts once."""
        both = [self.modelled(target, protection, operation, size_bytes) for operation in DIRECTIONS]
        if both[0] is None or both[1] is None:
            return None
        return 2 * (both[0].time_s + both[1].time_s)

    def band_percent(self, target: str, protection: str, size_bytes: int) -> float:
        found = self.modelled(target, protection, "encrypt", size_bytes)
        return found.band_percent if found else 0.0

    def share(self, target: str, protection: str, size_bytes: int, link: Link) -> float | None:
        seconds = self.cryptography_s(target, protection, size_bytes)
        return None if seconds is None else share(seconds, sent_bytes(protection, size_bytes), link)

    def rate_at_share(
        self, target: str, protection: str, size_bytes: int, wanted: float, delay_us: float
    ) -> float | None:
        seconds = self.cryptography_s(target, protection, size_bytes)
        return None if seconds is None else rate_at_share(wanted, seconds, sent_bytes(protection, size_bytes), delay_us)

    def exchanges(self, kind: str = "exchange") -> list[Observation]:
        return [observation for (one, _), observation in self._observations.items() if one == kind]

    def loopback(self, protection: str, message: str) -> Observation | None:
        return self._observations.get(("exchange", f"{protection}, {message}, loopback"))

    def here_s(self, protection: str, operation: str) -> float | None:
        """The time of the image on this machine, from the least time for a byte of either message. Disturbances only
        add time, and a string is often finished before one happens.
        """
        per_byte = []
        for message in MESSAGE_BYTES:
            found = self.loopback(protection, message)
            if found is not None:
                least_ns = min(value for name in _SAMPLES[operation] for value in found.figures[name])
                per_byte.append(least_ns / found.parameters["message_bytes"])
        return min(per_byte) * IMAGE_BYTES / 1e9 if per_byte else None

    def processor(self) -> str:
        """This machine's, as the measurements name it."""
        found = self.exchanges()
        return str(found[0].parameters["processor"]) if found else "not measured"


def least_cryptography_s(figures: dict[str, Any]) -> float:
    """Of measured exchanges: the least of each of the four operations, added."""
    return float(sum(min(figures[name]) for names in _SAMPLES.values() for name in names)) / 1e9


def least_operation_s(figures: dict[str, Any], operation: str, role: str) -> float:
    """Of measured exchanges: the least time to encrypt or to decrypt, by `client` or `server`."""
    return float(min(figures[f"{role}_{operation}_ns"])) / 1e9


def least_transmission_s(figures: dict[str, Any]) -> float:
    """Of measured exchanges: the least."""
    return float(min(figures["transmission_ns"])) / 1e9


def least_share(figures: dict[str, Any]) -> float:
    """Of measured exchanges, as the study says it: the four operations and the two transmissions, storing left out."""
    cryptography_s = least_cryptography_s(figures)
    return cryptography_s / (cryptography_s + 2 * least_transmission_s(figures))
