"""A device through resets and torn writes, and the counters that it used."""

from __future__ import annotations

import random

from firmware_host import NO_RECORD, READY, RECORD_BYTES, RECORDS, Host

DAY_S = 86_400


class Life:
    """A device through resets, and all numbers it ever used."""

    def __init__(self, host: Host, seed: int) -> None:
        self.host = host
        self.random = random.Random(seed)
        self.used: set[int] = set()
        self.repeated: list[int] = []
        self.silent = 0

    def send(self, count: int) -> None:
        """Numbers are used one by one: the power may fail between any two."""
        for _ in range(count):
            values = self.host.take(1)
            if not values or not self.host.c.host_has_power():
                return
            self.repeated += [value for value in values if value in self.used]
            self.used.update(values)

    def live(self, power_fails_after: int, torn: int, frames: int) -> None:
        self.host.c.host_power_fails_after(power_fails_after, torn)
        status = self.host.c.host_counter_start()
        if status == READY and self.host.c.host_has_power():
            self.send(frames)
        elif status == NO_RECORD:
            self.silent += 1
        self.host.c.host_power_fails_after(-1, 0)


def lives(host: Host, seed: int, resets: int, rot: float) -> Life:
    life = Life(host, seed)
    for _ in range(resets):
        fails = life.random.randrange(1, 80) if life.random.random() < 0.7 else -1
        frames = life.random.choice([0, 1, 3, 255, 256, 257, life.random.randrange(700)])
        life.live(fails, life.random.randrange(256), frames)
        if life.random.random() < rot:
            host.eeprom[life.random.randrange(RECORDS * RECORD_BYTES)] ^= 1 << life.random.randrange(8)
    return life
