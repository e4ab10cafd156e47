"""Oscillators without jitter are refused, whatever their period, and jitter of the least level that the header states
passes. The oscillator is a model of the watchdog and of how entropy_avr.c sees it: two cycles a step."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, comb, erf, isqrt, log2, sqrt

import pytest

from bancada.engines.simavr.session import runner
from tests.tatu.cipher_programs import DRIVER, PARTS
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HOST_GCC, TATU_SRC, Driver, driver_on, runs_on

START = 1024  # samples of the start-up tests
WINDOW, LAGS, LAG_CUTOFF = 512, 16, 415
NOMINAL = 256_000  # CPU cycles of a period of the watchdog at 16 MHz
PARTS_OF_A_CYCLE = 250
PERIODS = range(PARTS_OF_A_CYCLE * NOMINAL, PARTS_OF_A_CYCLE * NOMINAL + 2000)  # 8 cycles, two units of a sample
LEAST_JITTER_CYCLES = 2

runs_here = runs_on(HOST_GCC)


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def samples_of(times: list[int]) -> bytes:
    """What entropy_avr.c makes of the times, in CPU cycles, at which interrupts begin."""
    return bytes((later - earlier + 2) // 4 % 256 for earlier, later in zip(times, times[1:], strict=False))


def regular(period: int, step_cycles: int) -> bytes:
    """The samples of a start. The period is in parts of a cycle; interrupts begin at multiples of a step."""
    step = step_cycles * PARTS_OF_A_CYCLE
    return samples_of([-(-(83 + k * period) // step) * step_cycles for k in range(START + 1)])


def jittery(period: float, jitter_cycles: float, count: int, chance: random.Random) -> bytes:
    time, times = 0.0, []
    for _ in range(count + 1):
        times.append(2 * ceil(time / 2))
        time += chance.gauss(period, jitter_cycles)
    return samples_of(times)


def verdicts(driver: Driver, sources: Iterable[bytes]) -> list[int]:
    """For each source the sample at which it was refused, or 0."""
    return [int(answer) for answer in driver.run(f"health {samples.hex()}" for samples in sources)]


def passes_the_tests_of_the_standard(samples: bytes) -> bool:
    """Repetition count with cutoff 41, adaptive proportion with cutoff 410: SP 800-90B, section 4.4."""
    windows = [samples[at : at + WINDOW] for at in range(0, len(samples), WINDOW)]
    is_stuck = any(bytes([value]) * 41 in samples for value in set(samples))
    return not is_stuck and all(window.count(window[0]) < 410 for window in windows)


@runs_here
@pytest.mark.parametrize("step_cycles", [1, 2])
def test_no_oscillator_without_jitter_passes(driver: Driver, step_cycles: int) -> None:
    sources = [regular(period, step_cycles) for period in PERIODS]
    beats = sum(passes_the_tests_of_the_standard(source) for source in sources)
    assert beats > 250  # which only the lag test sees
    refused = [0 < verdict <= START for verdict in verdicts(driver, sources)]
    assert refused.count(False) == 0


@runs_here
@pytest.mark.parametrize("mixed", [2, 3, 5, 7, 11, 16])
def test_a_pattern_that_repeats_within_the_lags_is_refused(driver: Driver, mixed: int) -> None:
    pattern = random.Random(mixed).sample(range(256), mixed)
    samples = bytes(pattern[i % mixed] for i in range(START))
    assert verdicts(driver, [samples]) == [WINDOW]


@runs_here
@pytest.mark.parametrize("jitter_cycles", [LEAST_JITTER_CYCLES, 4, 8, 32, 128, 1024])
def test_jitter_passes(driver: Driver, jitter_cycles: float) -> None:
    """200 starts and 100,000 samples for each level: 595 windows. False alarms: see the cutoffs below."""
    chance = random.Random(round(jitter_cycles * 10))
    periods = [period / PARTS_OF_A_CYCLE for period in PERIODS[::10]]
    starts = [jittery(period, jitter_cycles, START, chance) for period in periods]
    long = jittery(NOMINAL + 0.7, jitter_cycles, 100_000, chance)
    assert set(verdicts(driver, [*starts, long])) == {0}


def test_the_least_jitter_gives_half_a_bit_of_min_entropy() -> None:
    """A sample is a unit of four cycles wide; the worst period lies in the middle of one. Normal distribution."""

    def min_entropy(jitter_cycles: float) -> float:
        return -log2(erf(2 / jitter_cycles / sqrt(2)))

    assert min_entropy(LEAST_JITTER_CYCLES) >= 0.5
    assert min_entropy(0.9 * LEAST_JITTER_CYCLES) < 0.5


def test_the_cutoff_of_the_lag_test() -> None:
    """1 + critbinom(512, 2^-1/2, 1 - 2^-24), SP 800-90B, section 4.4.2, in integers. A prediction is right with
    2^-1/2 at most, so 415 of 512 are right once in 2^24 windows, and for one of 16 lags once in 2^20."""
    scale = 2**256
    p = isqrt(scale * scale // 2)
    terms = [comb(WINDOW, k) * p**k * (scale - p) ** (WINDOW - k) for k in range(WINDOW + 1)]
    whole = scale**WINDOW
    assert sum(terms[LAG_CUTOFF:]) * 2**24 <= whole < sum(terms[LAG_CUTOFF - 1 :]) * 2**24
    assert LAGS * Fraction(1, 2**24) == Fraction(1, 2**20)


@runs_here
def test_the_lag_test_fails_at_its_cutoff(driver: Driver) -> None:
    """In the second window, only lag 9 repeats, `right` times of 512."""
    chance = random.Random(95)

    def source(right: int) -> bytes:
        samples = bytearray(chance.randbytes(WINDOW))
        wrong = set(chance.sample(range(WINDOW), WINDOW - right))
        for i in range(WINDOW):
            before = samples[-9]
            samples.append((before + 1 + chance.randrange(255)) % 256 if i in wrong else before)
        return bytes(samples)

    assert verdicts(driver, [source(LAG_CUTOFF - 1), source(LAG_CUTOFF)]) == [0, 2 * WINDOW]


SAMPLES_PROGRAM = """
#include <avr/interrupt.h>
#include <tatu/entropy_avr.h>
TATU_ENTROPY_AVR_INTERRUPT()
static uint8_t samples[1024];
static void put(uint8_t byte) { while (!(UCSR0A & _BV(UDRE0))) { } UDR0 = byte; }
int main(void)
{
    UBRR0 = 0;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0);
    sei();
    struct tatu_entropy_avr source;
    put((uint8_t)tatu_entropy_avr_start(&source));
    if (tatu_entropy_avr_sample(samples, sizeof samples) == TATU_OK) {
        for (uint16_t i = 0; i < sizeof samples; i++) { put(samples[i]); }
    }
    put(0);
    while (!(UCSR0A & _BV(UDRE0))) { }
    GPIOR0 = 0x12;
}
"""


@pytest.fixture(scope="module")
def run_on_avr(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], tuple[int, bytes]]:
    folder = tmp_path_factory.mktemp("beat")
    source, elf = folder / "samples.c", folder / "samples.elf"
    source.write_text(SAMPLES_PROGRAM)
    flags = ("-mmcu=atmega328p", "-Os", "-std=gnu99", "-ffunction-sections")
    library = sources_of(("aes", "entropy", "common"))
    compiled(elf, "avr-gcc", flags, source, library, linking=("-Wl,--gc-sections",))

    def run(clock_hz: int) -> tuple[int, bytes]:
        """The result of the start, and 1024 raw samples."""
        options = ("--mcu", "atmega328p", "--frequency", str(clock_hz), "--max-cycles", "900000000")
        command = [str(runner()), *options, str(elf)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        return int.from_bytes(done.stdout[:1], signed=True), done.stdout[1 : 1 + START]

    return run


@pytest.mark.parametrize("more_cycles", [1, 2, 5])
def test_a_beat_on_the_device_is_refused(run_on_avr: Callable[[int], tuple[int, bytes]], more_cycles: int) -> None:
    """A period of 256,001 cycles is a beat of half the samples; the loop that waits adds none of its own, so an even
    period is a constant."""
    result, samples = run_on_avr(ceil((NOMINAL + more_cycles) * Fraction(128_000, 2048)))
    assert len(samples) == START
    assert [samples.count(value) for value in sorted(set(samples))] == ([512, 512] if more_cycles % 2 else [1024])
    assert passes_the_tests_of_the_standard(samples) == bool(more_cycles % 2)
    assert result == -2


def test_the_header_states_the_least_jitter() -> None:
    assert f"{LEAST_JITTER_CYCLES} CPU cycles or more" in (TATU_SRC / "tatu" / "entropy_avr.h").read_text()
