"""AES as FIPS 197 (update of May 2023) describes it, for proofs: the state is 16 bytes, s[r, c] is byte r + 4c."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word, word

State = list[Word]


def xtimes(byte: int) -> int:
    """Multiplication by x modulo x^8 + x^4 + x^3 + x + 1, section 4.2."""
    return byte << 1 & 0xFF ^ (0x1B if byte & 0x80 else 0)


def product(first: int, second: int) -> int:
    """Multiplication in GF(2^8), section 4.2."""
    total = 0
    while second:
        if second & 1:
            total ^= first
        first, second = xtimes(first), second >> 1
    return total


def _substitution(byte: int) -> int:
    """SBOX, section 5.1.1: the multiplicative inverse, then the affine transformation (5.2)."""
    inverse = next((each for each in range(256) if product(byte, each) == 1), 0)
    total = 0x63
    for places in range(5):
        total ^= inverse << places & 0xFF | inverse >> (8 - places)
    return total


SBOX = [_substitution(byte) for byte in range(256)]
INVSBOX = [SBOX.index(byte) for byte in range(256)]


def _times(byte: Word, factor: int) -> Word:
    """byte * factor in GF(2^8), bit by bit."""
    total = word(byte.graph, 0, 8)
    while factor:
        if factor & 1:
            total = total ^ byte
        high = byte.bits[7]
        reduction = Word(byte.graph, tuple(high if 0x1B >> bit & 1 else 0 for bit in range(8)))
        byte, factor = byte << 1 ^ reduction, factor >> 1
    return total


Substitution = Callable[[Word], Word]


def by_table(byte: Word) -> Word:
    """SBOX."""
    return byte.lookup(SBOX)


def sub_bytes(state: State, substitute: Substitution = by_table) -> State:
    """Section 5.1.1. `substitute` is SBOX, in one of its two forms here."""
    return [substitute(byte) for byte in state]


def shift_rows(state: State) -> State:
    """Section 5.1.2."""
    return [state[row + 4 * ((column + row) % 4)] for column in range(4) for row in range(4)]


def _mix(state: State, factors: Sequence[int]) -> State:
    mixed = []
    for column in range(4):
        for row in range(4):
            total = word(state[0].graph, 0, 8)
            for at in range(4):
                total = total ^ _times(state[at + 4 * column], factors[(at - row) % 4])
            mixed.append(total)
    return mixed


def mix_columns(state: State) -> State:
    """Section 5.1.3."""
    return _mix(state, (2, 3, 1, 1))


def add_round_key(state: State, round_key: Sequence[Word]) -> State:
    """Section 5.1.4."""
    return [byte ^ key for byte, key in zip(state, round_key, strict=True)]


def key_expansion(key: Sequence[Word], rounds: int, substitute: Substitution = by_table) -> list[Word]:
    """Section 5.2: the bytes of the words w[0] to w[4 * rounds + 3]."""
    words = [list(key[at : at + 4]) for at in range(0, len(key), 4)]
    length = len(words)
    constant = 1
    for at in range(length, 4 * (rounds + 1)):
        made = list(words[at - 1])
        if at % length == 0:
            made = [substitute(byte) for byte in made[1:] + made[:1]]
            made[0] = made[0] ^ constant
            constant = xtimes(constant)
        elif length > 6 and at % length == 4:
            made = [substitute(byte) for byte in made]
        words.append([one ^ other for one, other in zip(words[at - length], made, strict=True)])
    return [byte for each in words for byte in each]


def cipher(
    block: Sequence[Word], rounds: int, round_keys: Sequence[Word], substitute: Substitution = by_table
) -> State:
    """CIPHER, section 5.1, algorithm 1."""
    state = add_round_key(list(block), round_keys[:16])
    for number in range(1, rounds + 1):
        state = shift_rows(sub_bytes(state, substitute))
        if number < rounds:
            state = mix_columns(state)
        state = add_round_key(state, round_keys[16 * number : 16 * number + 16])
    return state


def _undo_affine(byte: Word) -> Word:
    """Equation (5.2) solved for the inverse: the sum of the byte rotated by 1, 3 and 6, and 5."""
    return byte.rotated_left(1) ^ byte.rotated_left(3) ^ byte.rotated_left(6) ^ 0x05


def by_inverse_table(byte: Word) -> Word:
    """INVSBOX."""
    return byte.lookup(INVSBOX)


# SBOX as a circuit: J. Boyar and R. Peralta, "A new combinational logic minimization technique with applications to
# cryptology" (ePrint 2009/191). Linear sums of the byte's bits, of which x0 is the most significant; then an inversion
# in a tower of fields; then the sums of its products that are the bits of the result, s0 the most significant.
# Each definition is a name and what it is the sum (+) or the product (*) of.
_CIRCUIT = """
y14 x3+x5; y13 x0+x6; y9 x0+x3; y8 x0+x5; t0 x1+x2; y1 t0+x7; y4 y1+x3; y12 y13+y14; y2 y1+x0; y5 y1+x6; y3 y5+y8
t1 x4+y12; y15 t1+x5; y20 t1+x1; y6 y15+x7; y10 y15+t0; y11 y20+y9; y7 x7+y11; y17 y10+y11; y19 y10+y8; y16 t0+y11
y21 y13+y16; y18 x0+y16
t2 y12*y15; t3 y3*y6; t4 t3+t2; t5 y4*x7; t6 t5+t2; t7 y13*y16; t8 y5*y1; t9 t8+t7; t10 y2*y7; t11 t10+t7; t12 y9*y11
t13 y14*y17; t14 t13+t12; t15 y8*y10; t16 t15+t12; t17 t4+t14; t18 t6+t16; t19 t9+t14; t20 t11+t16; t21 t17+y20
t22 t18+y19; t23 t19+y21; t24 t20+y18; t25 t21+t22; t26 t21*t23; t27 t24+t26; t28 t25*t27; t29 t28+t22; t30 t23+t24
t31 t22+t26; t32 t31*t30; t33 t32+t24; t34 t23+t33; t35 t27+t33; t36 t24*t35; t37 t36+t34; t38 t27+t36; t39 t29*t38
t40 t25+t39; t41 t40+t37; t42 t29+t33; t43 t29+t40; t44 t33+t37; t45 t42+t41
z0 t44*y15; z1 t37*y6; z2 t33*x7; z3 t43*y16; z4 t40*y1; z5 t29*y7; z6 t42*y11; z7 t45*y17; z8 t41*y10; z9 t44*y12
z10 t37*y3; z11 t33*y4; z12 t43*y13; z13 t40*y5; z14 t29*y2; z15 t42*y9; z16 t45*y14; z17 t41*y8
s0 z3+z4+z6+z7+z9+z10+z15+z16; s1 z0+z1+z6+z7+z9+z10+z15+z16; s2 z0+z2+z6+z8+z12+z14+z15+z17
s3 z0+z1+z3+z4+z9+z10+z15+z16; s4 z1+z2+z4+z5+z9+z10+z15+z16; s5 z0+z2+z3+z4+z7+z8+z10+z11+z12+z14+z15+z16
s6 z4+z5+z7+z8+z12+z13+z15+z16; s7 z0+z2+z3+z5+z12+z13+z15+z16
"""


# INVSBOX as a circuit of its own: Boyar and Peralta, "A small depth-16 circuit for the AES S-box" (2011), as their
# project at Yale made it smaller since. It wants its argument with 0x63 added; o0 is the most significant bit.
_INVERSE_CIRCUIT = """
y0 x0+x3; y2 x1+x3; y4 x0+y2; u0 x6+x7; y1 y2+u0; y7 x2+y1; u1 x3+x4; y6 x7+u1; y3 y1+u1; u2 x0+x2; y5 x5+u2
sa1 y0+y2; sa0 y1+y3; sb1 y4+y6; sb0 y5+y7; ah y0+y1; al y2+y3; aa sa0+sa1; bh y4+y5; bl y6+y7; bb sb0+sb1
d20 sa0+sb0; d22 al+bl; d23 y3+y7; d21 sa1+sb1; m1 ah*bh; m2 y0*y4; h1 d20+m1; m3 y1*y5; h2 m3+m1; m4 al*bl
m5 y2*y6; l1 d22+m4; m6 y3*y7; l2 m6+m4; m7 sa0*sb0; m8 aa*bb; v1 m8+m7; m9 sa1*sb1; q1 m9+m7; e0 h1+m2; e1 h2+d21
e2 l1+m5; e3 l2+q1; f1 e0+v1; f2 e1+q1; f3 e2+v1; f4 e3+d23; i1 f3+f4; i2 f3*f1; i3 f2+i2; i4 f1+f2; i5 f4+i2
i6 i5*i4; i7 i3*i1; g2 f4+i7; g0 f2+i6; i8 f1*f4; i9 i4*i8; i10 i4+i2; g1 i9+i10; i11 f2*f3; i12 i1*i11; i13 i1+i2
g3 i12+i13; sd1 g1+g3; sd0 g0+g2; dl g0+g1; dh g2+g3; dd sd0+sd1; n1 dh*bh; n2 g3*y4; n3 g2*y5; n4 dl*bl; n5 g1*y6
n6 g0*y7; n7 sd0*sb0; n8 dd*bb; n9 sd1*sb1; o1 dh*ah; o2 g3*y0; o3 g2*y1; o4 dl*al; o5 g1*y2; o6 g0*y3; o7 sd0*sa0
o8 dd*aa; o9 sd1*sa1; pr n8+n7; qr n9+n7; p0 n2+n1+pr; p1 n3+n1+qr; p2 n5+n4+pr; p3 n6+n4+qr; pt o8+o7; qt o9+o7
p4 o2+o1+pt; p5 o3+o1+qt; p6 o5+o4+pt; p7 o6+o4+qt; k11 p0+p2; k13 p4+p7; k14 k11+k13; k16 p1+p5; k18 p0+p4
s0 p3+p6; s3 p1+p6; s5 s0+k11; o0 s0; o1 s3+k14; o2 k14+k16; o3 s3; o4 k18+s5+k16; o5 s5; o6 p2+p6; o7 p5
"""


def _circuit(text: str) -> list[tuple[str, str, list[str]]]:
    found = []
    for definition in text.replace("\n", ";").split(";"):
        if definition.strip():
            name, formula = definition.split()
            found.append((name, "*" if "*" in formula else "+", formula.replace("*", "+").split("+")))
    return found


_DEFINITIONS, _INVERSE_DEFINITIONS = _circuit(_CIRCUIT), _circuit(_INVERSE_CIRCUIT)


def by_circuit(byte: Word) -> Word:
    """SBOX by the circuit above, for programs without tables: this is held for all 256 bytes below."""
    return _followed(byte, _DEFINITIONS, "s") ^ 0x63


def inverse_by_own_circuit(byte: Word) -> Word:
    """INVSBOX by a circuit that is not that of SBOX: this is held for all 256 bytes below."""
    return _followed(byte ^ 0x63, _INVERSE_DEFINITIONS, "o")


def _followed(byte: Word, definitions: Sequence[tuple[str, str, list[str]]], result: str) -> Word:
    """What the definitions make of a byte's bits: the bits named `result`0 to 7, the first the most significant."""
    graph = byte.graph
    found = {f"x{at}": byte.bits[7 - at] for at in range(8)}
    for name, kind, (first, *others) in definitions:
        total = found[first]
        for other in others:
            total = (graph.conjunction if kind == "*" else graph.difference)(total, found[other])
        found[name] = total
    return Word(graph, tuple(found[f"{result}{7 - at}"] for at in range(8)))


def inverse_by_sbox(byte: Word, substitute: Substitution = by_table) -> Word:
    """INVSBOX by SBOX. Without its affine part SBOX is its own inverse, so SBOX between two undone affine parts is
    INVSBOX: this is held for all 256 bytes below."""
    return _undo_affine(substitute(_undo_affine(byte)))


def inverse_by_circuit(byte: Word) -> Word:
    """The same by the circuit."""
    return inverse_by_sbox(byte, by_circuit)


def _hold() -> None:
    graph = Graph()
    every = [word(graph, byte, 8) for byte in range(256)]
    held = {by_circuit: SBOX} | dict.fromkeys((inverse_by_sbox, inverse_by_circuit, inverse_by_own_circuit), INVSBOX)
    for made, expected in held.items():
        if [made(byte).value() for byte in every] != expected:
            raise AssertionError(f"{made.__name__} is not what it is said to be")


_hold()


def inv_mix_columns(state: State) -> State:
    """Section 5.3.3."""
    return _mix(state, (14, 11, 13, 9))


def inv_cipher(
    block: Sequence[Word],
    rounds: int,
    round_keys: Sequence[Word],
    inverse: Substitution = by_inverse_table,
) -> State:
    """INVCIPHER, section 5.3, algorithm 3. `inverse` is INVSBOX, in one of the forms above."""
    state = add_round_key(list(block), round_keys[16 * rounds :])
    for number in range(rounds - 1, -1, -1):
        # INVSHIFTROWS, section 5.3.1.
        state = [state[row + 4 * ((column - row) % 4)] for column in range(4) for row in range(4)]
        # INVSUBBYTES, section 5.3.2.
        state = [inverse(byte) for byte in state]
        state = add_round_key(state, round_keys[16 * number : 16 * number + 16])
        if number:
            state = inv_mix_columns(state)
    return state


def eq_inv_cipher(
    block: Sequence[Word],
    rounds: int,
    round_keys: Sequence[Word],
    inverse: Substitution = by_inverse_table,
) -> State:
    """EQINVCIPHER, section 5.3.5, algorithm 4. The round keys are those of KEYEXPANSIONEIC (algorithm 5): but for the
    first and the last, INVMIXCOLUMNS of INVCIPHER's."""
    state = add_round_key(list(block), round_keys[16 * rounds :])
    for number in range(rounds - 1, -1, -1):
        state = [inverse(byte) for byte in state]
        state = [state[row + 4 * ((column - row) % 4)] for column in range(4) for row in range(4)]
        if number:
            state = inv_mix_columns(state)
        state = add_round_key(state, round_keys[16 * number : 16 * number + 16])
    return state


# Fix-sliced (A. Adomnicai and T. Peyrin, "Fixslicing AES-like ciphers", IACR TCHES 2021(1)): two blocks in eight words
# of 32 bits, of which word i has bit i of every byte. No section of FIPS 197, but the same bits in other places.


def _place(number: int, row: int, column: int, block: int) -> int:
    """The bit of a word that belongs to this byte, when ShiftRows was left out `number` times."""
    return 8 * row + 2 * ((column + number * row) % 4) + block


def planes_of(round_keys: Sequence[Word]) -> list[Word]:
    """The bytes of the planes of all round keys, for two blocks under the same key. From the second round key on, the
    constant of the affine transformation (5.2) is in them."""
    graph = round_keys[0].graph
    made = []
    for number in range(len(round_keys) // 16):
        key = [byte ^ (0x63 if number else 0) for byte in round_keys[16 * number : 16 * number + 16]]
        for plane in range(8):
            bits = [0] * 32
            for row in range(4):
                for column in range(4):
                    for block in range(2):
                        bits[_place(number, row, column, block)] = key[row + 4 * column].bits[plane]
            made += [Word(graph, tuple(bits[at : at + 8])) for at in range(0, 32, 8)]
    return made


def round_keys_of(planes: Sequence[Word], block: int) -> list[Word]:
    """The round keys of one of the two blocks, from the bytes of any planes."""
    graph = planes[0].graph
    made = []
    for number in range(len(planes) // 32):
        words = [
            [bit for byte in planes[at : at + 4] for bit in byte.bits] for at in range(32 * number, 32 * number + 32, 4)
        ]
        for column in range(4):
            for row in range(4):
                place = _place(number, row, column, block)
                made.append(Word(graph, tuple(each[place] for each in words)) ^ (0x63 if number else 0))
    return made
