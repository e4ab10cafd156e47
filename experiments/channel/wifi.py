"""The time that a message takes over Wi-Fi 802.11n: one medium for both directions, with access, headers and
acknowledgements."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .link import SEGMENT_PAYLOAD_BYTES
from .share import HEADER_BYTES

# IEEE 802.11-2012, 2.4 GHz: SIFS 10 µs and a slot of 9 µs (table 20-25, 20.4.4), DIFS = SIFS + 2 slots (9.3.2.3),
# contention window 15 at first (table 20-25), so 7.5 slots on average.
_SIFS_US, _SLOT_US = 10.0, 9.0
_ACCESS_US = _SIFS_US + 2 * _SLOT_US + 7.5 * _SLOT_US
# The preamble of mixed format with one stream (20.3.9, 8 + 8 + 4 + 8 + 4 + 4 µs), and a compressed block
# acknowledgement of 32 bytes at 24 Mbit/s (8.3.1.9, 18.3: 20 µs and three symbols of 4 µs).
_PREAMBLE_US, _BLOCK_ACK_US = 36.0, 32.0
# What frames a segment: delimiter 4, QoS header 26, LLC 8, FCS 4, IP 20, TCP with time stamps 32.
_FRAME_BYTES = 4 + 26 + 8 + 4 + 20 + 32
# TCP acknowledges every second segment (RFC 1122, 4.2.3.2).
_SEGMENTS_AN_ACK = 2


@dataclass(frozen=True)
class Wifi:
    """`rate_bits_per_s` of the data on the air; how many `frames` a station sends each time that it has the medium;
    how often each frame is on the air, `hops`, which is 2 where an access point forwards it; a delay each way besides.
    """

    rate_bits_per_s: float
    frames: float
    hops: float
    delay_us: float

    @property
    def goodput_bits_per_s(self) -> float:
        """Bits of payload a second of a long message."""
        return SEGMENT_PAYLOAD_BYTES * 8e6 / self._segment_us

    @property
    def _segment_us(self) -> float:
        """The medium's time for one segment and its part of an acknowledgement, on all hops."""
        turn_us = _ACCESS_US + _PREAMBLE_US + _SIFS_US + _BLOCK_ACK_US
        us_a_byte = 8e6 / self.rate_bits_per_s
        data_us = turn_us / self.frames + (SEGMENT_PAYLOAD_BYTES + _FRAME_BYTES) * us_a_byte
        # Acknowledgements contend for the medium as data does; those of one turn go together.
        acks = self.frames / _SEGMENTS_AN_ACK
        ack_us = turn_us / self.frames * min(1.0, acks) + _FRAME_BYTES * us_a_byte / _SEGMENTS_AN_ACK
        return self.hops * (data_us + ack_us)

    def transmission_s(self, sent_bytes: int) -> float:
        """The time of one way, without slow start, losses and other stations."""
        segments = math.ceil((sent_bytes + HEADER_BYTES) / SEGMENT_PAYLOAD_BYTES)
        return segments * self._segment_us / 1e6 + self.delay_us / 1e6

    def share(self, cryptography_s: float, sent_bytes: int) -> float:
        """The part of the exchange, both ways, that is cryptography, without storing."""
        return cryptography_s / (cryptography_s + 2 * self.transmission_s(sent_bytes))
