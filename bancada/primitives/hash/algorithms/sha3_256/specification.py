"""The permutation Keccak-f[1600] for proofs, as FIPS 202 describes it, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.word import Word

Lanes = list[list[Word]]  # lanes[x][y]


def _constants() -> list[int]:
    """Section 3.2.5, algorithms 5 and 6: RC[ir] from the linear feedback shift register rc(t)."""
    bits = []
    register = 1
    for _ in range(7 * 24):
        bits.append(register & 1)
        register <<= 1
        register ^= 0x171 if register & 0x100 else 0
    return [sum(bits[7 * number + j] << (2**j - 1) for j in range(7)) for number in range(24)]


ROUND_CONSTANTS = _constants()


def theta(lanes: Lanes) -> Lanes:
    """Section 3.2.1."""
    c = [row[0] ^ row[1] ^ row[2] ^ row[3] ^ row[4] for row in lanes]
    d = [c[(x - 1) % 5] ^ c[(x + 1) % 5].rotated_left(1) for x in range(5)]
    return [[lanes[x][y] ^ d[x] for y in range(5)] for x in range(5)]


def rho(lanes: Lanes) -> Lanes:
    """Section 3.2.2."""
    made = [list(row) for row in lanes]
    x, y = 1, 0
    for t in range(24):
        made[x][y] = lanes[x][y].rotated_left((t + 1) * (t + 2) // 2)
        x, y = y, (2 * x + 3 * y) % 5
    return made


def pi(lanes: Lanes) -> Lanes:
    """Section 3.2.3."""
    return [[lanes[(x + 3 * y) % 5][x] for y in range(5)] for x in range(5)]


def chi(lanes: Lanes) -> Lanes:
    """Section 3.2.4."""
    return [[lanes[x][y] ^ (~lanes[(x + 1) % 5][y] & lanes[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]


def permutation(state: Sequence[Word], rounds: int = 24) -> list[Word]:
    """Keccak-f on 25 lanes of 64 bits; lane 5y + x is lanes[x][y] (section 3.1.2)."""
    lanes = [[state[5 * y + x] for y in range(5)] for x in range(5)]
    for number in range(rounds):
        lanes = chi(pi(rho(theta(lanes))))
        lanes[0][0] = lanes[0][0] ^ ROUND_CONSTANTS[number]
    return [lanes[at % 5][at // 5] for at in range(25)]
