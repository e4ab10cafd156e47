"""A saved seed is used once, whatever write the power fails in. The fresh samples are the same at every start here, so
that a seed which is used twice gives the same output twice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.engines.simavr.engine_bench import CLOCK_HZ, Run, run
from tests.tatu.cipher_programs import ERR_ENTROPY, OK, aes_ecb
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE, SANITIZERS, STRICT, Driver

TORN = ("old", "new", "ones", "zeros", "mixed")
PLACE = 36
ERASED = "ff" * PLACE
FULL, FRESH = bytes(range(1, 33)), bytes(range(100, 132))
SOURCES = "100 1"  # what FRESH and FULL count from


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    program = tmp_path_factory.mktemp("seed") / "seed"
    library = sources_of(("aes", "drbg", "entropy", "common"), "*.c")
    return Driver(compiled(program, "gcc", (*STRICT, *SANITIZERS), HERE / "saved_seed_driver.c", library))


def xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


class Model:
    """CTR_DRBG with AES-128 and no derivation function: SP 800-90A Rev. 1, section 10.2.1."""

    def __init__(self, seed: bytes) -> None:
        self.key, self.v = bytes(16), 0
        self.update(seed)

    def block(self) -> bytes:
        self.v = (self.v + 1) % 2**128
        return aes_ecb(self.key, self.v.to_bytes(16, "big"))

    def update(self, data: bytes) -> None:
        mixed = xor(self.block() + self.block(), data)
        self.key, self.v = mixed[:16], int.from_bytes(mixed[16:], "big")

    def generate(self, length: int) -> bytes:
        output = b"".join(self.block() for _ in range(length // 16))
        self.update(bytes(32))
        return output


def place_with(seed: bytes) -> str:
    mac = aes_ecb(bytes(16), b"Tatu seed 1".ljust(16, b"\0"))
    mac = aes_ecb(bytes(16), xor(mac, seed[:16]))
    return (seed + aes_ecb(bytes(16), xor(mac, seed[16:]))[:4]).hex()


def test_starts_are_what_the_header_says(driver: Driver) -> None:
    """A full start and two from the seed, against a model."""
    answers = driver.words([line for _ in range(3) for line in (f"boot 0 - {SOURCES}", "dump")])
    model = Model(FULL)
    seed = model.generate(32)
    assert answers[0] == [str(OK), model.generate(16).hex(), "1", str(PLACE)]
    assert answers[1] == [place_with(seed) + ERASED]
    for boot in (1, 2):
        model = Model(seed)
        model.update(FRESH)
        seed = model.generate(32)
        result, output, full_starts, writes = answers[2 * boot]
        assert (result, output, full_starts) == (str(OK), model.generate(16).hex(), "0")
        assert 2 * PLACE - 4 <= int(writes) <= 2 * PLACE  # a byte that is 0xff already needs none
        assert answers[2 * boot + 1] == [ERASED + place_with(seed) if boot == 1 else place_with(seed) + ERASED]


def test_other_data_is_no_seed(driver: Driver) -> None:
    chance = random.Random(1)
    records = [bytes([value]) * 72 for value in range(256)] + [chance.randbytes(72) for _ in range(1000)]
    answers = driver.words([line for data in records for line in (f"memory {data.hex()}", f"boot 0 - {SOURCES}")])
    assert {(words[0], words[2]) for words in answers[1::2]} == {(str(OK), "1")}


def test_one_wrong_bit_is_no_seed(driver: Driver) -> None:
    good = bytes.fromhex(place_with(bytes(range(32))) + ERASED)
    records = [good] + [(int.from_bytes(good) ^ 1 << (8 * 72 - 1 - bit)).to_bytes(72) for bit in range(8 * PLACE)]
    answers = driver.words([line for data in records for line in (f"memory {data.hex()}", f"boot 0 - {SOURCES}")])
    assert [words[2] for words in answers[1::2]] == ["0"] + ["1"] * 8 * PLACE


FIRST, SECOND = (place_with(bytes([value]) * 32) for value in (1, 2))
MEMORIES = {"erased": ERASED + ERASED, "first": FIRST + ERASED, "second": ERASED + SECOND, "both": FIRST + SECOND}


@pytest.mark.parametrize("torn", TORN)
@pytest.mark.parametrize("memory", MEMORIES)
def test_the_power_may_fail_in_every_write(driver: Driver, memory: str, torn: str) -> None:
    """Then it may fail again in the next start. After that, four starts run to their end: each gives output that no
    other one gave, and if there was a seed at first, none of them needs the full source."""
    most = 2 * PLACE + 5
    cuts = [(first, second) for first in range(1, most) for second in (0, *range(1, most, 5))]
    ends = [f"boot 0 - {SOURCES}", f"boot 0 - {SOURCES}", f"boot 0 - {SOURCES}", f"boot 0 - {SOURCES}", "dump"]
    answers = driver.words(
        line
        for first, second in cuts
        for line in (
            f"memory {MEMORIES[memory]}",
            f"boot {first} {torn} {SOURCES}",
            *([f"boot {second} {torn} {SOURCES}"] if second else ["dump"]),
            *ends,
        )
    )
    runs = [answers[i : i + 8] for i in range(0, len(answers), 8)]
    assert len(runs) == len(cuts)
    happened = 0
    for _, first_boot, second_boot, *boots, _ in runs:
        happened += first_boot == ["cut"]
        ended = [words for words in (first_boot, second_boot, *boots) if len(words) == 4]
        assert {words[0] for words in ended} == {str(OK)}
        from_seed = [words for words in ended if words[2] == "0"]
        assert len({words[1] for words in from_seed}) == len(from_seed) >= 3
        if memory != "erased":
            assert len(from_seed) == len(ended)
    assert happened >= 36 * len(cuts) // most


@pytest.mark.parametrize("memory", ["first", "second", "both"])
def test_a_used_seed_is_gone(driver: Driver, memory: str) -> None:
    """And so is every piece of it, after a start that the power did not end, whatever happened before."""
    used = "01" * 32 if memory != "second" else "02" * 32
    lines = [
        (f"memory {MEMORIES[memory]}", f"boot {cut} mixed {SOURCES}", f"boot 0 - {SOURCES}", "dump")
        for cut in range(0, 2 * PLACE)
    ]
    answers = driver.run(line for group in lines for line in group)
    assert answers[1 + 4 * (2 * PLACE - 10)] == "cut"
    for dump in answers[3::4]:
        assert used[:16] not in dump
        assert dump.count("ff" * 30) == 1  # one place is erased


@pytest.mark.parametrize("offset", [0, 31, 32, 35])
def test_a_seed_that_cannot_be_erased_is_not_used(driver: Driver, offset: int) -> None:
    boots = driver.words([f"memory {FIRST + ERASED}", f"stuck {offset}", *[f"boot 0 - {SOURCES}"] * 2, "stuck none"])
    assert (boots[2][0], boots[2][2]) == (str(OK), "1")


def test_a_source_that_fails_gives_nothing(driver: Driver) -> None:
    """With a seed, the fresh samples must come; without one, the full source."""
    answers = driver.words([f"memory {FIRST + ERASED}", "boot 0 - - 1", f"memory {ERASED * 2}", "boot 0 - 100 -"])
    assert answers[1] == [str(ERR_ENTROPY), "00" * 16, "0", "0"]
    assert answers[3] == [str(ERR_ENTROPY), "00" * 16, "1", "0"]


BOOT_PROGRAM = """
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/wdt.h>
#include <tatu/saved_seed_avr.h>
TATU_ENTROPY_AVR_INTERRUPT()
static void put(uint8_t byte) { while (!(UCSR0A & _BV(UDRE0))) { } UDR0 = byte; }
int main(void)
{
    static struct tatu_drbg drbg;
    uint8_t output[16];
    UBRR0 = 0;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0);
    sei();
    for (uint8_t boot = 0; boot < 3; boot++) {
        GPIOR0 = 0x01;
        const int result = tatu_saved_seed_avr_start(&drbg, 100);
        GPIOR0 = 0x02;
        put((uint8_t)result);
        put((uint8_t)tatu_drbg_generate(&drbg, output, sizeof output));
        for (uint8_t i = 0; i < sizeof output; i++) { put(output[i]); }
    }
    put((uint8_t)(eeprom_read_byte((uint8_t *)99) & eeprom_read_byte((uint8_t *)172)));
    put(0);
    while (!(UCSR0A & _BV(UDRE0))) { }
    GPIOR0 = 0x12;
}
"""

CAUSE_PROGRAM = """
#include <avr/interrupt.h>
#include <avr/wdt.h>
#include <tatu/entropy_avr.h>
TATU_ENTROPY_AVR_INTERRUPT()
static void put(uint8_t byte) { while (!(UCSR0A & _BV(UDRE0))) { } UDR0 = byte; }
int main(void)
{
    uint8_t samples[2];
    UBRR0 = 0;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0);
    sei();
    put(tatu_entropy_avr_reset_cause());
    for (uint8_t i = 0; i < 2; i++) {
        if (tatu_entropy_avr_sample(samples, sizeof samples) != TATU_OK) { put(0xee); }
        put(tatu_entropy_avr_reset_cause());
        put(MCUSR);
    }
    if (tatu_entropy_avr_reset_cause() & _BV(WDRF)) {
        put(0);
        while (!(UCSR0A & _BV(UDRE0))) { }
        GPIOR0 = 0x12;
    }
    put(0);
    wdt_enable(WDTO_15MS);
    for (;;) { }
}
"""


def run_on_avr(folder: Path, program: str, limit_cycles: int) -> Run:
    source, elf = folder / "program.c", folder / "program.elf"
    source.write_text(program)
    library = sources_of(("aes", "drbg", "entropy", "common"))
    flags = ("-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-std=gnu99", "-ffunction-sections")
    compiled(elf, "avr-gcc", flags, source, library, linking=("-Wl,--gc-sections",))
    return run(elf, "--wdt-jitter", "5", limit_cycles=limit_cycles)


def test_a_later_start_of_an_avr_is_short(tmp_path: Path) -> None:
    """17 s at first, then 0.8 s; the simulator counts."""
    done = run_on_avr(tmp_path, BOOT_PROGRAM, 600_000_000)
    boots = [done.output[18 * boot : 18 * boot + 18] for boot in range(3)]
    assert [boot[:2] for boot in boots] == [bytes(2)] * 3
    assert len({boot[2:] for boot in boots}) == 3
    assert done.output[54] == 0xFF  # beside the record
    seconds = [region["cycles"] / CLOCK_HZ for region in done.regions]
    assert 16 < seconds[0] < 18
    assert all(later < 0.85 for later in seconds[1:])


def test_the_cause_of_a_reset_can_still_be_read(tmp_path: Path) -> None:
    """After a power-on reset, and after one by the watchdog, whose flag the source must clear in MCUSR."""
    done = run_on_avr(tmp_path, CAUSE_PROGRAM, 100_000_000)
    power_on, watchdog = done.output[:5], done.output[6:11]
    porf, wdrf = 1, 8
    assert [cause & 0xF for cause in power_on] == [power_on[0] & 0xF] * 5
    assert power_on[0] & wdrf == 0
    assert [watchdog[i] & wdrf for i in (0, 1, 3)] == [wdrf] * 3
    assert [watchdog[i] & wdrf for i in (2, 4)] == [0, 0]
    assert watchdog[0] & porf == watchdog[4] & porf
