"""The programs that make an IV: what an UNO sent, counted on the simulator."""

from __future__ import annotations

from pathlib import Path

from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Observation
from bancada.store.store import Store
from experiments.libraries.observe import observe


def _observed(store: Store) -> tuple[dict[str, Observation], list[str]]:
    laboratory = open_laboratory()
    said: list[str] = []
    observe(laboratory, laboratory.experiments["libraries"], store, said.append)
    return {f"{one.kind} {one.name}": one for one in store.observations("libraries")}, said


def test_equal_commands_look_equal_unless_the_iv_is_fresh(tmp_path: Path) -> None:
    """Eight messages of two commands. AES has 128 bits: two fresh IVs do not give one packet."""
    store = Store(tmp_path / "store.sqlite")
    found, said = _observed(store)
    assert said == ["programs that make an IV: 4 run, 0 unchanged"]
    packets = {name: one.figures["distinct_packets"] for name, one in found.items() if name.startswith("iv ")}
    assert packets == {"iv none": 2, "iv fixed": 2, "iv fresh": 8}
    fixed, fresh = found["iv fixed"].figures, found["iv fresh"].figures
    # The difference of the two programs is the IV: its cycles, and the call that both make.
    assert fresh["seal_cycles"] - fixed["seal_cycles"] == fresh["iv_cycles"] - fixed["iv_cycles"]
    assert fresh["flash_bytes"] > fixed["flash_bytes"] > found["iv none"].figures["flash_bytes"]
    # 1,024 samples of a watchdog of 16 ms (tatu/entropy_avr.h).
    assert 15 < fresh["seed_s"] < 20
    # Ten bits of a converter, less the seed 0, and each seed begins another sequence.
    assert found["seeded-iv analogRead"].figures == {"seeds": 1023, "distinct_ivs": 1023}
    assert _observed(store)[1] == ["programs that make an IV: 0 run, 4 unchanged"]
