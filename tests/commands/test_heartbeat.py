"""A run whose output is piped says a line a minute."""

from __future__ import annotations

import threading
from queue import Queue

from bancada.commands.heartbeat import heartbeat

PATIENCE_S = 30.0


def test_a_line_comes_again_and_again_and_says_what_was_finished() -> None:
    said: Queue[str] = Queue()
    with heartbeat("libraries", 800, said.put, every_s=0.01) as beat:
        assert said.get(timeout=PATIENCE_S).startswith("libraries: 0 of 800 cases after 0 min, none yet")
        beat.advance(3, "uno/tatu/aes128/encrypt")
        for _ in range(2):
            line = said.get(timeout=PATIENCE_S)
            while "libraries: 0 of" in line:
                line = said.get(timeout=PATIENCE_S)
            assert line == "libraries: 3 of 800 cases after 0 min, last uno/tatu/aes128/encrypt"


def test_the_last_line_is_how_the_run_ended_and_nothing_goes_on_after_it() -> None:
    said: list[str] = []
    with heartbeat("libraries", 1, said.append) as beat:
        beat.advance(1, "uno/tatu/aes128/encrypt")
    assert said == ["libraries: 1 of 1 cases after 0 min, last uno/tatu/aes128/encrypt"]
    assert not [thread.name for thread in threading.enumerate() if thread.name == "heartbeat of libraries"]
