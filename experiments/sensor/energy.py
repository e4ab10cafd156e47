"""Energy and battery life of the sensor, computed in two ways: by the study's formula, and by a duty cycle and the data
sheets."""

from __future__ import annotations

from typing import Any

from bancada.plan.laboratory import Laboratory

# The study: E = v i t, 12 V, 6 µA idle, 14 µA while it transmits for 0.480 s every 10 s; a CR2032 of 225 mAh at 3 V.
STUDY_VOLTS, STUDY_IDLE_UA, STUDY_SEND_UA, STUDY_SEND_S, STUDY_IDLE_S = 12.0, 6.0, 14.0, 0.480, 10.0
STUDY_YEARS = {"sender": 578e6, "receiver": 786e6}
CELL_MAH, _CELL_VOLTS = 225.0, 3.0
_HOURS_A_YEAR = 8766.0

# Of the data sheets. Idle is twice the 1.2 mA at 8 MHz and 5 V (ATmega328P, table 29-12); the E32's are its manual's,
# at 20 dBm.
_IDLE_MA = 2.4
E32_SEND_MA, _E32_SLEEP_MA = 110.0, 0.004
_DS3231_MA = 0.170


def study_life_years(send_s: float) -> float:
    """By the study's formula and currents: capacity over the mean power of a cycle of sending and waiting."""
    send_uwh = STUDY_VOLTS * STUDY_SEND_UA * send_s / 3600
    idle_uwh = STUDY_VOLTS * STUDY_IDLE_UA * STUDY_IDLE_S / 3600
    mean_uw = (send_uwh + idle_uwh) * 3600 / (send_s + STUDY_IDLE_S)
    return CELL_MAH * _CELL_VOLTS * 1000 / mean_uw / _HOURS_A_YEAR


def study_time_us(years: float) -> float:
    """The time that the study's millions of years are made of.

    Its cell holds 0.675 Wh. An event of t at 12 V and 6 µA takes 12 V · 6 µA · t, so the cell feeds 0.675 Wh of them:
    so many events, not hours. Read as hours they are the published years.
    """
    return CELL_MAH * _CELL_VOLTS / 1000 / (STUDY_VOLTS * STUDY_IDLE_UA * 1e-6) / (years * _HOURS_A_YEAR) * 3600e6


def study_pwh(time_us: float) -> float:
    """The energy of a cipher by the study's volts and its current for sending, in picowatt-hours."""
    return STUDY_VOLTS * STUDY_SEND_UA * time_us / 3600


def study_share(years: float, cipher_us: float) -> float:
    """The part of the life that is left with a cipher, by the same reckoning: events of the cipher's time instead."""
    return study_time_us(years) / cipher_us


def processor_currents(laboratory: Laboratory) -> tuple[float, float]:
    """mA awake, µA asleep."""
    power = laboratory.targets["uno"].power
    # The Arduino's are in its file.
    assert power is not None
    assert power.sleep_ua is not None
    return power.active_ma, power.sleep_ua


def energy_uj_of(laboratory: Laboratory, time_us: float) -> float:
    """The processor's energy by its data sheet."""
    power = laboratory.targets["uno"].power
    assert power is not None
    return power.voltage_v * power.active_ma * time_us / 1000


def mean_currents_ma(laboratory: Laboratory, duty: dict[str, Any]) -> dict[str, float]:
    """Mean current by part of the device, from the simulated shares of its time and the data sheets' currents."""
    shares = duty["shares"]
    asleep = sum(share for name, share in shares.items() if name not in ("awake", "idle"))
    active_ma, sleep_ua = processor_currents(laboratory)
    return {
        "processor awake": shares.get("awake", 0.0) * active_ma,
        "processor idle": shares.get("idle", 0.0) * _IDLE_MA,
        "processor asleep": asleep * sleep_ua / 1000,
        "radio sending": duty["transmitting_share"] * E32_SEND_MA,
        "radio asleep": (1 - duty["transmitting_share"]) * _E32_SLEEP_MA,
        "clock": _DS3231_MA,
    }


def receiver_currents_ma(laboratory: Laboratory, duty: dict[str, Any], receive_ma: float) -> dict[str, float]:
    """Mean current of the gateway's Arduino, whose radio always receives."""
    shares = duty["gateway_shares"]
    active_ma, _ = processor_currents(laboratory)
    return {
        "processor awake": shares.get("awake", 0.0) * active_ma,
        "processor idle": shares.get("idle", 0.0) * _IDLE_MA,
        "radio receiving": receive_ma,
        "clock": _DS3231_MA,
    }


def crypto_part(laboratory: Laboratory, cipher_us: float, period_s: float, mean_ma: float) -> float:
    """The part of the mean current that a cipher takes, once a period."""
    return cipher_us / 1e6 / period_s * processor_currents(laboratory)[0] / mean_ma
