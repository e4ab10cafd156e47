"""What may be called ok, what counts as the same question, and which of two results is shown."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import threading
from pathlib import Path

import pytest

from bancada.campaign import interrupt
from bancada.compilers.compile import _run
from bancada.measure.laboratory import open_laboratory
from bancada.primitives import read_primitives
from bancada.store.store import Store
from tests.example_results import result as make_result


def test_every_implementation_of_every_candidate_has_vectors() -> None:
    primitives = read_primitives()
    rows = {
        (row.primitive, row.algorithm, key_bits)
        for candidate in open_laboratory().candidates.values()
        for row in candidate.implementation
        for key_bits in row.key_bits
    }
    assert len(rows) > 30
    for primitive, algorithm, key_bits in sorted(rows):
        assert primitives[primitive].why_unjudged(algorithm, key_bits) is None


@pytest.mark.parametrize(
    ("primitive", "algorithm", "key_bits"),
    [
        ("block-cipher", "present", 128),
        ("block-cipher", "speck64", 64),
        ("mac", "hmac-sha-256", 256),
        ("aead", "aes-ocb", 128),
    ],
)
def test_an_algorithm_without_vectors_is_named_and_never_judged(primitive: str, algorithm: str, key_bits: int) -> None:
    why = read_primitives()[primitive].why_unjudged(algorithm, key_bits)
    assert why is not None
    assert f"'{algorithm}'" in why
    assert f"{key_bits}-bit" in why


def test_a_full_disk_is_no_fault_of_the_source() -> None:
    with pytest.raises(OSError, match=os.strerror(28)):
        _run(["sh", "-c", "echo 'fatal error: x.o: No space left on device' >&2; exit 1"])


def test_a_case_of_two_experiments_is_shown_as_last_measured(tmp_path: Path) -> None:
    old = make_result(2, date="2024-01-01T00:00:00+00:00")
    new = dataclasses.replace(old, date="2024-01-02T00:00:00+00:00", cycles_median=1)
    store = Store(tmp_path / "store.sqlite")
    store.put("a", 0, "old", old)
    store.put("b", 0, "new", new)
    assert [result.cycles_median for result in store.results()] == [1]
    assert [result.cycles_median for result in store.results("a")] == [2]


def test_an_interrupt_that_was_swallowed_still_stops_at_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter drops an exception raised in a finaliser: what was noted remains."""
    noted = threading.Event()
    monkeypatch.setattr(interrupt, "_requested", noted)
    interrupt.check()
    with contextlib.suppress(KeyboardInterrupt):
        interrupt._note_and_raise(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        interrupt.check()
