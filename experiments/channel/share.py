"""How much of an exchange is cryptography, from the times of the four operations and the link.

Measured and modelled times are combined only here.
"""

from __future__ import annotations

import math

from .link import SEGMENT_OVERHEAD_BYTES, SEGMENT_PAYLOAD_BYTES, Link

# programs/src/frame.h
HEADER_BYTES = 36


def wire_bits(sent_bytes: int) -> float:
    """Bits of the frames that carry a message of so many bytes, IV, padding and tag included."""
    payload = sent_bytes + HEADER_BYTES
    return 8.0 * (payload + math.ceil(payload / SEGMENT_PAYLOAD_BYTES) * SEGMENT_OVERHEAD_BYTES)


def transmission_s(sent_bytes: int, link: Link) -> float:
    """The time of one way over an idle link, without TCP's slow start, losses and the access to a shared medium."""
    if link.rate_bits_per_s is None:
        raise ValueError("the loopback has no rate to work with")
    return wire_bits(sent_bytes) / link.rate_bits_per_s + link.delay_us / 1e6


def share(cryptography_s: float, sent_bytes: int, link: Link) -> float:
    """The part of the exchange, both ways, that is cryptography, without storing."""
    return cryptography_s / (cryptography_s + 2 * transmission_s(sent_bytes, link))


def rate_at_share(wanted: float, cryptography_s: float, sent_bytes: int, delay_us: float) -> float | None:
    """Bits a second at which the share is `wanted`. On a faster link the share is greater. None if the delay alone
    keeps it lower.
    """
    left_s = cryptography_s * (1 / wanted - 1) - 2 * delay_us / 1e6
    return 2 * wire_bits(sent_bytes) / left_s if left_s > 0 else None


def goodput_at_share(wanted: float, cryptography_s: float, message_bytes: int) -> float:
    """Bits of message a second that follow from a share."""
    return 2 * 8 * message_bytes / (cryptography_s * (1 / wanted - 1))
