"""How much of an exchange is cryptography, from the times of the four operations and the link: what is measured and what is modelled
are joined here and nowhere else."""

from __future__ import annotations

import math

from bancada.channel.link import SEGMENT_OVERHEAD_BYTES, SEGMENT_PAYLOAD_BYTES, Link

# channel/src/frame.h
_HEADER_BYTES = 36


def wire_bits(sent_bytes: int) -> float:
    """Bits of the frames that carry a message of so many bytes, IV, padding and tag included."""
    payload = sent_bytes + _HEADER_BYTES
    return 8.0 * (payload + math.ceil(payload / SEGMENT_PAYLOAD_BYTES) * SEGMENT_OVERHEAD_BYTES)


def transmission_s(sent_bytes: int, link: Link) -> float:
    """One way over a link that does nothing else: TCP's beginning, losses and turns of a shared medium left out."""
    if link.rate_bits_per_s is None:
        raise ValueError("the loopback has no rate to work with")
    return wire_bits(sent_bytes) / link.rate_bits_per_s + link.delay_us / 1e6


def share(cryptography_s: float, sent_bytes: int, link: Link) -> float:
    """Part of the exchange, there and back, that is cryptography; storing left out."""
    return cryptography_s / (cryptography_s + 2 * transmission_s(sent_bytes, link))


def rate_at_share(wanted: float, cryptography_s: float, sent_bytes: int, delay_us: float) -> float | None:
    """Bits a second at which the share is `wanted`; on a faster link it is greater. None if the delay alone keeps it below."""
    left_s = cryptography_s * (1 / wanted - 1) - 2 * delay_us / 1e6
    return 2 * wire_bits(sent_bytes) / left_s if left_s > 0 else None


def goodput_at_share(wanted: float, cryptography_s: float, message_bytes: int) -> float:
    """Bits of message a second that a share says there were, whatever held them up."""
    return 2 * 8 * message_bytes / (cryptography_s * (1 / wanted - 1))
