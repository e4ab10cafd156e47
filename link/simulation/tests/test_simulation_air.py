"""The simulated air: how long packets take, who hears whom, what collides."""

from __future__ import annotations

import pytest
from sensorlink.air import delivered_in_theory, time_on_air_s
from sensorlink.laboratory import UserError
from simulation_bench import air_program, listener, native, of, run, summary_of

ON_AIR_S = 0.369664  # of 32 bytes at 2.4k: see below
LINE_S = 35 * 10 / 9600  # 32 bytes on the module's line at 9600, and 3 bytes' time of silence


# Published figures for LoRaWAN in Europe (The Things Network's and avbentem's airtime calculators, for 11 and 51 bytes
# of payload, which are 24 and 64 with LoRaWAN's own): 125 kHz, 4/5, preamble of 8, explicit header, CRC.
@pytest.mark.parametrize(
    ("spreading_factor", "bandwidth_hz", "payload_bytes", "published_ms"),
    [
        (7, 125_000, 24, 61.7),
        (8, 125_000, 24, 113.2),
        (9, 125_000, 24, 205.8),
        (10, 125_000, 24, 370.7),
        (11, 125_000, 24, 823.3),
        (12, 125_000, 24, 1482.8),
        (7, 250_000, 24, 30.8),
        (7, 125_000, 64, 118.0),
        (12, 125_000, 64, 2793.5),
    ],
)
def test_time_on_air_is_as_published(
    spreading_factor: int, bandwidth_hz: int, payload_bytes: int, published_ms: float
) -> None:
    done = air_program("--lora-time-on-air", str(spreading_factor), str(bandwidth_hz), "1", str(payload_bytes))
    assert int(done.stdout) / 1e6 == pytest.approx(published_ms, abs=0.05)


# By hand from the formula in the SX1278's data sheet, 2(n + 5) + 2 bytes on the air:
# 2.4k, SF11, 500 kHz, 4/5: symbols of 4.096 ms; 16 bytes are 44 on the air: 8 + ceil(352 / 44) 5 = 48, and 12.25
# before. 1.2k, SF11, 250 kHz, 4/5: twice as long.  4.8k, SF8, 250 kHz, 4/6: 1.024 ms; 76 bytes: 8 + ceil(620 / 32) 6 =
# 128. 0.3k, SF12, 125 kHz, 4/5, low data rate: 32.768 ms; 76 bytes: 8 + ceil(604 / 40) 5 = 88.
@pytest.mark.parametrize(
    ("air_rate", "user_bytes", "symbols", "symbol_ms"),
    [
        (2400, 16, 48 + 12.25, 4.096),
        (2400, 28, 73 + 12.25, 4.096),
        (2400, 32, 78 + 12.25, 4.096),
        (2400, 40, 93 + 12.25, 4.096),
        (1200, 16, 48 + 12.25, 8.192),
        (4800, 32, 128 + 12.25, 1.024),
        (300, 32, 88 + 12.25, 32.768),
    ],
)
def test_time_on_air_of_the_modules_rates(air_rate: int, user_bytes: int, symbols: float, symbol_ms: float) -> None:
    assert time_on_air_s(air_rate, user_bytes) * 1e3 == pytest.approx(symbols * symbol_ms, abs=1e-6)


def test_the_table_of_times_at_2400() -> None:
    assert [round(time_on_air_s(2400, size) * 1e3) for size in (16, 28, 32, 40)] == [247, 349, 370, 431]


@pytest.mark.parametrize("air_rate", [9600, 19200, 1])
def test_an_undocumented_rate_is_refused(air_rate: int) -> None:
    with pytest.raises(UserError, match="not documented"):
        time_on_air_s(air_rate, 32)


def test_one_sender_is_heard_at_the_right_times() -> None:
    events = run([native("a"), listener()], 16)
    begins = of(events, "transmit-begin")
    assert [event["time_us"] for event in begins] == pytest.approx(
        [(5 * k + 1 + LINE_S) * 1e6 for k in range(3)], abs=2
    )
    assert {event["end_us"] - event["time_us"] for event in begins} <= {369_664, 369_663, 369_665}
    assert [event["delivered_to"] for event in of(events, "transmit-end")] == [["listener"]] * 3


@pytest.mark.parametrize(
    ("offset_s", "collides"),
    [(0.0, True), (0.1, True), (ON_AIR_S - 0.001, True), (ON_AIR_S + 0.001, False), (2.5, False)],
)
def test_overlapping_packets_are_all_lost(offset_s: float, collides: bool) -> None:
    events = run([native("a", first_s=1), native("b", first_s=1 + offset_s), listener()], 14)
    ends = of(events, "transmit-end")
    assert len(ends) == 6
    assert {event["collided"] for event in ends} == {collides}
    heard = summary_of(events, "listener")["heard"]
    assert heard == (0 if collides else 6)
    assert len(of(events, "collision")) == (3 if collides else 0)


def test_a_chain_of_overlaps_loses_every_link_of_it() -> None:
    """a overlaps b, b overlaps c, a does not overlap c: all three are lost."""
    nodes = [native("a", first_s=1), native("b", first_s=1.3), native("c", first_s=1.6), native("d", first_s=3)]
    ends = of(run([*nodes, listener()], 5), "transmit-end")
    assert {event["node"]: event["collided"] for event in ends} == {"a": True, "b": True, "c": True, "d": False}


def test_who_sends_does_not_hear() -> None:
    """Two packets on different channels do not collide; but the other sender was deaf while it sent."""
    other_channel = "00001A1844"
    nodes = [
        native("a"),
        native("b", module=other_channel, first_s=1.1),
        listener("on-a"),
        listener("on-b", module=other_channel),
    ]
    events = run(nodes, 4)
    heard = {event["node"]: (event["collided"], event["delivered_to"]) for event in of(events, "transmit-end")}
    assert heard == {"a": (False, ["on-a"]), "b": (False, ["on-b"])}
    nodes = [native("a"), native("b", first_s=1.5), listener()]
    ends = of(run(nodes, 4), "transmit-end")
    assert [event["delivered_to"] for event in ends] == [["b", "listener"], ["a", "listener"]]


def test_who_comes_late_does_not_understand_the_rest() -> None:
    """Powered on during the first packet, and ready before its end: only the second is heard."""
    events = run([native("a"), listener(start_s=1.1)], 8)
    assert [event["delivered_to"] for event in of(events, "transmit-end")] == [[], ["listener"]]


@pytest.mark.parametrize(
    ("parameters", "hears"),
    [
        ("00001A1744", True),  # as the sender
        ("00001A1844", False),  # another channel
        ("00001B1744", False),  # another air rate
        ("00001A1740", False),  # no error correction
        ("00011A1744", False),  # another address
        ("FFFF1A1744", True),  # hears every address
        ("00003A1744", True),  # another speed of the serial line only
    ],
)
def test_a_module_hears_its_own_channel_rate_and_address(parameters: str, hears: bool) -> None:
    events = run([native("a"), listener(module=parameters)], 4)
    assert summary_of(events, "listener")["heard"] == int(hears)


def test_the_broadcast_address_is_heard_by_all() -> None:
    events = run([native("a", module="FFFF1A1744"), listener(module="12341A1744")], 4)
    assert summary_of(events, "listener")["heard"] == 1


def test_losses_come_from_the_seed() -> None:
    nodes = [native("a", period_s=1), listener()]
    first, again, other = (
        summary_of(run(nodes, 600, air={"loss": 0.3}, seed=seed), "listener")["heard"] for seed in (1, 1, 2)
    )
    assert first == again != other
    assert first == pytest.approx(0.7 * 599, abs=4 * (599 * 0.3 * 0.7) ** 0.5)  # four standard deviations


def test_the_theory_of_uncoordinated_senders() -> None:
    """Published with the link's design: delivered parts for a period of 5 s and 32 bytes."""
    parts = [delivered_in_theory(sensors, 5, ON_AIR_S) for sensors in (1, 2, 4, 8, 16)]
    assert parts == pytest.approx([1.0, 0.85, 0.62, 0.33, 0.09], abs=0.005)


def test_many_jittered_senders_are_near_the_theory() -> None:
    nodes = [native(f"n{index}", device=index, jitter=0.25) for index in range(16)]
    events = run([*nodes, listener()], 3600)
    sent = len(of(events, "transmit-end"))
    assert summary_of(events, "listener")["heard"] / sent == pytest.approx(
        delivered_in_theory(16, 5, ON_AIR_S), abs=0.02
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["/nowhere.json"], "cannot read /nowhere.json"),
        ([], "usage"),
        (["--lora-time-on-air", "13", "125000", "1", "10"], "spreading factors 6 to 12"),
        (["--time-on-air", "x", "1"], "'x' is not a whole number"),
    ],
)
def test_mistakes_get_one_sentence(arguments: list[str], says: str) -> None:
    done = air_program(*arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert says in done.stderr


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"duration_s": 0}, "duration_s must be more than 0"),
        ({"air": {"loss": 2}}, "air.loss is a probability"),
        ({"nodes": [{"kind": "robot"}]}, "unknown variant"),
        ({"nodes": [{**native("a"), "module": "xyz"}]}, "five parameters"),
        ({"nodes": [{**native("a"), "colour": "red"}]}, "unknown field"),
    ],
)
def test_a_wrong_configuration_gets_one_sentence(settings: dict[str, object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        run(**{"nodes": [native("a")], "duration_s": 1, **settings})  # type: ignore[arg-type]
