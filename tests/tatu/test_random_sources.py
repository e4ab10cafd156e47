"""The generator against NIST's vectors and a model of SP 800-90A; health tests and conditioning against SP 800-90B."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, comb, isqrt

import pytest

from tests.tatu.cipher_programs import DRIVER, ERR_ENTROPY, ERR_EXHAUSTED, ERR_LENGTH, OK, PARTS, aes_ecb
from tests.tatu.machines import HOSTS, PORTABLE, Driver, driver_on, runs_on

# NIST CAVP, CTR_DRBG.rsp, [AES-128 no df], no prediction resistance, no additional input, no personalization string.
# Of two requests for 512 bits the second counts. Entropy of the start, of the reseeding if any, and the bits.
NIST_VECTORS = [
    (
        "ce50f33da5d4c1d3d4004eb35244b7f2cd7f2e5076fbf6780a7ff634b249a5fc",
        "",
        "6545c0529d372443b392ceb3ae3a99a30f963eaf313280f1d1a1e87f9db373d3"
        "61e75d18018266499cccd64d9bbb8de0185f213383080faddec46bae1f784e5a",
    ),
    (
        "a385f70a4d450321dfd18d8379ef8e7736fee5fbf0a0aea53b76696094e8aa93",
        "",
        "1a062553ab60457ed1f1c52f5aca5a3be564a27545358c112ed92c6eae2cb759"
        "7cfcc2e0a5dd81c5bfecc941da5e8152a9010d4845170734676c8c1b6b3073a5",
    ),
    (
        "ed1e7f21ef66ea5d8e2a85b9337245445b71d6393a4eecb0e63c193d0f72f9a9",
        "303fb519f0a4e17d6df0b6426aa0ecb2a36079bd48be47ad2a8dbfe48da3efad",
        "f80111d08e874672f32f42997133a5210f7a9375e22cea70587f9cfafebe0f6a"
        "6aa2eb68e7dd9164536d53fa020fcab20f54caddfab7d6d91e5ffec1dfd8deaa",
    ),
]


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


class ModelDrbg:
    """CTR_DRBG with AES-128 and no derivation function: SP 800-90A Rev. 1, section 10.2.1."""

    def __init__(self, seed: bytes) -> None:
        self.key, self.v = bytes(16), 0
        self.update(seed)

    def blocks(self, count: int) -> bytes:
        values = [(self.v + 1 + i) % 2**128 for i in range(count)]
        self.v = values[-1] if values else self.v
        return b"".join(aes_ecb(self.key, value.to_bytes(16, "big")) for value in values)

    def update(self, data: bytes) -> None:
        mixed = bytes(a ^ b for a, b in zip(self.blocks(2), data, strict=True))
        self.key, self.v = mixed[:16], int.from_bytes(mixed[16:], "big")

    def generate(self, length: int) -> bytes:
        output = self.blocks(-(-length // 16))[:length]
        self.update(bytes(32))
        return output


@runs_on(*HOSTS, *PORTABLE)
@pytest.mark.parametrize(("seed", "reseed", "expected"), NIST_VECTORS)
def test_drbg_nist_vectors(driver: Driver, seed: str, reseed: str, expected: str) -> None:
    [answer] = driver.run([f"drbg {seed}{reseed} {'r,' if reseed else ''}64,64"])
    assert answer.split()[-2:] == ["0", expected]


@runs_on(*HOSTS, *PORTABLE)
def test_drbg_of_every_length_between_reseedings(driver: Driver) -> None:
    chance = random.Random(90)
    seeds = [chance.randbytes(32) for _ in range(3)]
    lengths = [*range(1, 70), 65536]
    model = ModelDrbg(seeds[0])
    expected = ["0"]
    for seed in [*seeds[1:], b""]:
        for length in lengths:
            expected += ["0", model.generate(length).hex()]
        if seed:
            expected.append("0")
            model.update(seed)
    requests = ",".join(map(str, lengths))
    [answer] = driver.run([f"drbg {b''.join(seeds).hex()} {requests},r,{requests},r,{requests}"])
    assert answer.split() == expected


@runs_on(*HOSTS)
def test_drbg_failures_give_zeros(driver: Driver) -> None:
    [unseeded] = driver.run([f"drbg {bytes(31).hex()} 5"])
    assert unseeded.split() == [str(ERR_ENTROPY), str(ERR_EXHAUSTED), bytes(5).hex()]
    [too_long] = driver.run([f"drbg {bytes(32).hex()} 65537,r,1"])
    start, code, output, reseeding, last, _ = too_long.split()
    assert (start, code, output) == (str(OK), str(ERR_LENGTH), bytes(65537).hex())
    assert (reseeding, last) == (str(ERR_ENTROPY), str(OK))


def cbc_mac(samples: bytes) -> bytes:
    mac = bytes(16)
    for i in range(0, len(samples), 16):
        mac = aes_ecb(bytes(16), bytes(a ^ b for a, b in zip(mac, samples[i : i + 16], strict=True)))
    return mac


@runs_on(*HOSTS)
def test_noise_is_conditioned_by_cbc_mac(driver: Driver) -> None:
    samples = random.Random(91).randbytes(1024 + 2 * 384)
    blocks = [samples[:512], samples[512:1024], samples[1024:1408], samples[1408:]]
    pool = [cbc_mac(block)[::-1] for block in blocks]  # each pool is given out from its end
    expected = pool[1] + pool[0] + pool[2] + pool[3]
    [answer] = driver.run([f"noise {samples.hex()} 5,27,1,20,11,1"])
    start, *words = answer.split()
    assert start == str(OK)
    assert words[0:10:2] == [str(OK)] * 5
    assert "".join(words[1:10:2]) == expected.hex()
    assert words[10:] == [str(ERR_ENTROPY), "00"]  # the samples have run out


@runs_on(*HOSTS)
def test_noise_that_fails_gives_nothing_more(driver: Driver) -> None:
    good = random.Random(92).randbytes(1024)
    stuck = bytes(41)
    [answer] = driver.run([f"noise {(good + stuck + good).hex()} 40,1"])
    assert answer.split() == [str(OK), str(ERR_ENTROPY), bytes(40).hex(), str(ERR_ENTROPY), "00"]
    [answer] = driver.run([f"noise {(good[:900] + stuck + good).hex()} 32"])
    assert answer.split() == [str(ERR_ENTROPY), str(ERR_ENTROPY), bytes(32).hex()]


def proportion_cutoff(window: int, min_entropy: Fraction, alpha_exponent: int) -> int:
    """1 + critbinom(window, 2^-H, 1 - 2^-exponent), SP 800-90B, section 4.4.2, in integers; H is a half."""
    assert min_entropy == Fraction(1, 2)
    scale = 2**256
    p = isqrt(scale * scale // 2)  # 2^-1/2
    total = 0
    for k in range(window + 1):
        total += comb(window, k) * p**k * (scale - p) ** (window - k)
        if total * 2**alpha_exponent >= (2**alpha_exponent - 1) * scale**window:
            return 1 + k
    raise AssertionError


@runs_on(*HOSTS)
def test_repetition_count_test_fails_at_its_cutoff(driver: Driver) -> None:
    cutoff = 1 + ceil(20 / Fraction(1, 2))
    chance = random.Random(93)
    before = bytes(chance.choice(range(1, 256)) for _ in range(77))
    just_passes, fails = before + bytes(cutoff - 1) + b"\x01", before + bytes(cutoff)
    assert driver.run([f"health {just_passes.hex()}", f"health {fails.hex()}"]) == ["0", str(len(fails))]


@runs_on(*HOSTS)
def test_adaptive_proportion_test_fails_at_its_cutoff(driver: Driver) -> None:
    cutoff = proportion_cutoff(512, Fraction(1, 2), 20)

    def window(matches: int) -> bytes:
        """A window that begins with its own value, has `matches` of it, and never 41 of it in a row."""
        others, values = 512 - matches, bytearray()
        for i in range(512):
            spread = i * others // 511 != (i + 1) * others // 511 if i else False
            values.append(1 + i % 7 if spread else 0)
        missing = matches - values.count(0)
        assert missing <= 0
        for i in range(-missing):
            values[10 + 3 * i] = 9
        return bytes(values)

    just_passes, fails = window(cutoff - 1), window(cutoff)
    assert (just_passes.count(0), fails.count(0)) == (cutoff - 1, cutoff)
    calm = random.Random(94).randbytes(512)
    answers = driver.run(
        [
            f"health {(calm + just_passes + just_passes).hex()}",
            f"health {(calm + fails).hex()}",
            f"health {(calm + just_passes[1:] + fails).hex()}",
        ]
    )
    last_match = max(i for i, value in enumerate(fails) if value == 0)
    assert answers[0] == "0"
    assert answers[1] == str(512 + last_match + 1)
    assert answers[2] == "0"  # windows do not slide: 410 matches that straddle two of them pass
