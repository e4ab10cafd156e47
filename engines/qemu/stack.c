/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack.h"

#define SP_ARM 13U
#define SP_A64 31U

static const struct stack_effect *entered;
static bool awaits_access;
static bool is_trusted;      /* `here` follows from what is known, not only from what is likely */
static bool is_anchored;     /* `begin` is known */
static uint64_t begin;       /* SP when the region began */
static int64_t here;         /* SP at the entry of the block under execution, less `begin` */
static int64_t there;        /* and at its end */
static int64_t deepest;

static uint32_t bits(uint32_t word, unsigned int low, unsigned int count)
{
    return word >> low & ((1U << count) - 1U);
}

static bool bit(uint32_t word, unsigned int number)
{
    return (word >> number & 1U) != 0;
}

static int64_t signed_bits(uint32_t word, unsigned int low, unsigned int count)
{
    int64_t value = bits(word, low, count);
    return bit(word, low + count - 1) ? value - ((int64_t)1 << count) : value;
}

struct stack_effect stack_effect_none(void)
{
    struct stack_effect none = {0, 0, true, false, 0};
    return none;
}

static struct stack_effect moves(int64_t change)
{
    struct stack_effect effect = {change, change < 0 ? change : 0, true, false, 0};
    return effect;
}

static struct stack_effect unknown(void)
{
    struct stack_effect effect = {0, 0, false, false, 0};
    return effect;
}

static struct stack_effect accesses(int64_t offset, int64_t change)
{
    struct stack_effect effect = moves(change);
    effect.has_access = true;
    effect.access_offset = offset;
    return effect;
}

/* A load or store whose address is SP plus `offset`; P, U and W of the Arm ARM's "addressing modes": indexed before,
 * added, written back. */
static struct stack_effect indexed(bool before, bool add, bool write_back, int64_t offset)
{
    int64_t moved = add ? offset : -offset;
    return accesses(before ? moved : 0, write_back || !before ? moved : 0);
}

/* Several registers of `length` bytes in all: the lowest address is accessed first. */
static struct stack_effect multiple(bool before, bool add, bool write_back, int64_t length)
{
    int64_t lowest = add ? (before ? 4 : 0) : (before ? -length : 4 - length);
    return accesses(lowest, write_back ? (add ? length : -length) : 0);
}

static int64_t list_bytes(uint32_t list)
{
    int64_t length = 0;
    for (; list != 0; list &= list - 1U) {
        length += 4;
    }
    return length;
}

/* VLDM, VSTM, VPUSH, VPOP, VLDR, VSTR: the same fields in A32 and T32, whose first half-word is the word's upper
 * half. */
static struct stack_effect floating(uint32_t word)
{
    bool before = bit(word, 24);
    bool add = bit(word, 23);
    bool write_back = bit(word, 21);
    int64_t length = (int64_t)bits(word, 0, 8) * 4;
    if (before && !write_back) {
        return indexed(true, add, false, length);
    }
    return accesses(add ? 0 : -length, write_back ? (add ? length : -length) : 0);
}

static uint32_t rotate_right(uint32_t value, uint32_t by)
{
    return by == 0 ? value : value >> by | value << (32U - by);
}

/* ThumbExpandImm: Arm ARM (ARMv7-M), A5.3.2. */
static uint32_t thumb_immediate(uint32_t word)
{
    uint32_t code = bits(word, 26, 1) << 11 | bits(word, 12, 3) << 8 | bits(word, 0, 8);
    uint32_t byte = code & 0xffU;
    if (code >> 10 != 0) {
        return rotate_right(0x80U | (code & 0x7fU), code >> 7);
    }
    switch (code >> 8) {
    case 0:
        return byte;
    case 1:
        return byte << 16 | byte;
    case 2:
        return byte << 24 | byte << 8;
    default:
        return byte * 0x01010101U;
    }
}

static struct stack_effect effect_of_thumb16(uint32_t half)
{
    if ((half & 0xff00U) == 0xb000U) { /* ADD, SUB (SP plus, minus immediate) */
        int64_t size = (int64_t)bits(half, 0, 7) * 4;
        return moves(bit(half, 7) ? -size : size);
    }
    if ((half & 0xfe00U) == 0xb400U) { /* PUSH */
        return multiple(true, false, true, list_bytes(bits(half, 0, 9)));
    }
    if ((half & 0xfe00U) == 0xbc00U) { /* POP */
        return multiple(false, true, true, list_bytes(bits(half, 0, 9)));
    }
    if ((half & 0xf000U) == 0x9000U) { /* STR, LDR (SP-relative) */
        return indexed(true, true, false, (int64_t)bits(half, 0, 8) * 4);
    }
    if ((half & 0xff87U) == 0x4485U || (half & 0xff87U) == 0x4685U) { /* ADD SP, MOV SP from a register */
        return unknown();
    }
    return stack_effect_none();
}

/* `word` holds the first half-word above the second. */
static struct stack_effect effect_of_thumb32(uint32_t word)
{
    uint32_t base = bits(word, 16, 4);
    bool to_sp = bits(word, 8, 4) == SP_ARM;
    if ((word & 0xf8000000U) == 0xf0000000U && !bit(word, 15)) { /* data processing, immediate */
        if (!to_sp) {
            return stack_effect_none();
        }
        uint32_t kind = bits(word, 20, 6) & 0x3eU; /* without S */
        uint32_t plain = bits(word, 26, 1) << 11 | bits(word, 12, 3) << 8 | bits(word, 0, 8);
        if (base == SP_ARM && kind == 0x10U) {
            return moves(thumb_immediate(word));
        }
        if (base == SP_ARM && kind == 0x1aU) {
            return moves(-(int64_t)thumb_immediate(word));
        }
        if (base == SP_ARM && kind == 0x20U) { /* ADDW */
            return moves(plain);
        }
        if (base == SP_ARM && kind == 0x2aU) { /* SUBW */
            return moves(-(int64_t)plain);
        }
        return unknown();
    }
    if ((word & 0xfe000000U) == 0xea000000U) { /* data processing, shifted register */
        return to_sp ? unknown() : stack_effect_none();
    }
    if (base != SP_ARM) {
        return stack_effect_none();
    }
    if ((word & 0xfe400000U) == 0xe8000000U) { /* LDM, STM, PUSH.W, POP.W */
        return multiple(bit(word, 24), bit(word, 23), bit(word, 21), list_bytes(bits(word, 0, 16)));
    }
    if ((word & 0xfe400000U) == 0xe8400000U && (bit(word, 24) || bit(word, 21))) { /* LDRD, STRD */
        return indexed(bit(word, 24), bit(word, 23), bit(word, 21), (int64_t)bits(word, 0, 8) * 4);
    }
    if ((word & 0xfe000e00U) == 0xec000a00U) {
        return floating(word);
    }
    if ((word & 0xff100000U) == 0xf9000000U) { /* NEON structures */
        return bits(word, 0, 4) == 15U ? accesses(0, 0) : unknown();
    }
    if ((word & 0xfe000000U) == 0xf8000000U) { /* LDR, STR of one */
        if (bit(word, 23)) {
            return indexed(true, true, false, bits(word, 0, 12));
        }
        if (bit(word, 11)) {
            return indexed(bit(word, 10), bit(word, 9), bit(word, 8), bits(word, 0, 8));
        }
    }
    return stack_effect_none();
}

static struct stack_effect effect_of_arm(uint32_t word)
{
    uint32_t base = bits(word, 16, 4);
    bool to_sp = bits(word, 12, 4) == SP_ARM;
    uint32_t class = bits(word, 25, 3);
    bool is_extra = class == 0 && (word & 0x90U) == 0x90U; /* multiplies, LDRH, LDRD and their like */
    if (bits(word, 28, 4) == 15U) {
        return stack_effect_none();
    }
    if (class <= 1 && !is_extra) {
        uint32_t operation = bits(word, 21, 4);
        bool compares = operation >= 8U && operation <= 11U;
        if (!to_sp || compares) {
            return stack_effect_none();
        }
        int64_t immediate = rotate_right(bits(word, 0, 8), bits(word, 8, 4) * 2U);
        if (class == 1 && base == SP_ARM && operation == 2U) { /* SUB */
            return moves(-immediate);
        }
        if (class == 1 && base == SP_ARM && operation == 4U) { /* ADD */
            return moves(immediate);
        }
        return unknown();
    }
    if (base != SP_ARM) {
        return stack_effect_none();
    }
    if (is_extra) {
        bool is_multiply = (word & 0x60U) == 0;
        int64_t immediate = bits(word, 8, 4) << 4 | bits(word, 0, 4);
        return is_multiply || !bit(word, 22) ? stack_effect_none()
                                             : indexed(bit(word, 24), bit(word, 23), bit(word, 21), immediate);
    }
    switch (class) {
    case 2: /* LDR, STR, LDRB, STRB (immediate) */
        return indexed(bit(word, 24), bit(word, 23), bit(word, 21), bits(word, 0, 12));
    case 4: /* LDM, STM */
        return multiple(bit(word, 24), bit(word, 23), bit(word, 21), list_bytes(bits(word, 0, 16)));
    case 6:
        return (word & 0xe00U) == 0xa00U ? floating(word) : stack_effect_none();
    default:
        return stack_effect_none();
    }
}

/* MOVZ and MOVK give the constant, of up to 32 bits. Any other instruction that may write its register ends it: those
 * that have its number anywhere. */
static void follow_constant(uint32_t word, struct stack_constant *constant)
{
    uint32_t number = bits(word, 0, 5);
    unsigned int shift = 16U * bits(word, 21, 2);
    int64_t half = (int64_t)bits(word, 5, 16);
    bool is_low = shift < 32U;
    if ((word & 0xff800000U) == 0xd2800000U) { /* MOVZ, 64 bits */
        struct stack_constant made = {is_low, number, is_low ? half << shift : 0};
        *constant = made;
    } else if ((word & 0xff800000U) == 0xf2800000U && number == constant->number) { /* MOVK, 64 bits */
        constant->is_known = constant->is_known && is_low;
        if (constant->is_known) {
            constant->value = (constant->value & ~((int64_t)0xffff << shift)) | half << shift;
        }
    } else if (number == constant->number || bits(word, 5, 5) == constant->number ||
               bits(word, 10, 5) == constant->number || bits(word, 16, 5) == constant->number) {
        constant->is_known = false;
    }
}

static struct stack_effect effect_of_aarch64(uint32_t word, const struct stack_constant *constant)
{
    uint32_t base = bits(word, 5, 5);
    bool to_sp = bits(word, 0, 5) == SP_A64;
    if ((word & 0xbf800000U) == 0x91000000U) { /* ADD, SUB (immediate) */
        int64_t immediate = (int64_t)bits(word, 10, 12) << (bit(word, 22) ? 12 : 0);
        if (!to_sp) {
            return stack_effect_none();
        }
        return base == SP_A64 ? moves(bit(word, 30) ? -immediate : immediate) : unknown();
    }
    if ((word & 0xbfe0fc00U) == 0x8b206000U && to_sp && base == SP_A64 && constant->is_known &&
        bits(word, 16, 5) == constant->number) { /* ADD, SUB (extended) of a constant, 64 bits, not shifted */
        return moves(bit(word, 30) ? -constant->value : constant->value);
    }
    if ((word & 0xbfe00000U) == 0x8b200000U || (word & 0xff800000U) == 0x92000000U) { /* ADD, SUB extended; AND */
        return to_sp ? unknown() : stack_effect_none();
    }
    if (base != SP_A64) {
        return stack_effect_none();
    }
    bool is_vector = bit(word, 26);
    if ((word & 0x3a000000U) == 0x28000000U) { /* LDP, STP and their like */
        unsigned int scale = is_vector ? 2U + bits(word, 30, 2) : 2U + bits(word, 31, 1);
        int64_t offset = signed_bits(word, 15, 7) * ((int64_t)1 << scale);
        uint32_t mode = bits(word, 23, 2); /* 0 and 2 leave the base alone, 1 is after, 3 before */
        return indexed(mode != 1U, true, mode == 3U, offset);
    }
    if ((word & 0x3b000000U) == 0x39000000U) { /* LDR, STR (unsigned offset) */
        unsigned int scale = is_vector && bit(word, 23) ? 4U : bits(word, 30, 2);
        return indexed(true, true, false, (int64_t)bits(word, 10, 12) << scale);
    }
    if ((word & 0x3b200000U) == 0x38000000U && bits(word, 10, 2) != 2U) { /* LDUR, STUR, LDR, STR (before, after) */
        uint32_t mode = bits(word, 10, 2);
        return indexed(mode != 1U, true, mode == 3U, signed_bits(word, 12, 9));
    }
    return stack_effect_none();
}

struct stack_effect stack_effect_of(enum instruction_set set, const uint8_t *code, size_t bytes,
                                    struct stack_constant *constant)
{
    uint32_t low = (uint32_t)code[0] | (uint32_t)code[1] << 8;
    if (bytes == 2) {
        return effect_of_thumb16(low);
    }
    uint32_t high = (uint32_t)code[2] | (uint32_t)code[3] << 8;
    switch (set) {
    case SET_THUMB:
        return effect_of_thumb32(low << 16 | high);
    case SET_ARM:
        return effect_of_arm(high << 16 | low);
    default: {
        struct stack_effect effect = effect_of_aarch64(high << 16 | low, constant);
        follow_constant(high << 16 | low, constant);
        return effect;
    }
    }
}

unsigned int stack_it_length(const uint8_t *code, size_t bytes)
{
    uint32_t mask = code[0] & 0xfU;
    if (bytes != 2 || code[1] != 0xbfU || mask == 0) {
        return 0;
    }
    unsigned int length = 4;
    for (; (mask & 1U) == 0; mask >>= 1) {
        length--;
    }
    return length;
}

void stack_effect_append(struct stack_effect *block, struct stack_effect next, bool is_conditional)
{
    if (next.has_access && !block->has_access && block->is_certain) {
        block->has_access = true;
        block->access_offset = block->change + next.access_offset;
    }
    if (is_conditional && next.change != 0) {
        next = unknown();
    }
    if (block->is_certain && block->change + next.lowest < block->lowest) {
        block->lowest = block->change + next.lowest;
    }
    block->change += next.change;
    block->is_certain = block->is_certain && next.is_certain;
}

void stack_begin(void)
{
    entered = NULL;
    awaits_access = false;
    is_trusted = true;
    is_anchored = false;
    here = there = deepest = 0;
}

static void reach(int64_t below)
{
    if (below < deepest) {
        deepest = below;
    }
}

void stack_enter(const struct stack_effect *block)
{
    here = there;
    entered = block;
    awaits_access = block->has_access;
    if (is_trusted && !block->has_access) {
        reach(here + block->lowest);
    }
    there = here + block->change;
    is_trusted = is_trusted && block->is_certain;
}

/* The block under execution makes its access through SP, and so says what SP was at its entry. */
static void learn(const struct stack_effect *block, uint64_t address)
{
    uint64_t entry = address - (uint64_t)block->access_offset;
    if (!is_anchored) {
        is_anchored = true;
        begin = entry - (uint64_t)here;
    }
    here = (int64_t)(entry - begin);
    reach(here + block->lowest);
    there = here + block->change;
    is_trusted = block->is_certain;
}

void stack_access(uint64_t address)
{
    if (awaits_access) {
        awaits_access = false;
        learn(entered, address);
    }
}

void stack_tell(const struct stack_effect *block, uint64_t address)
{
    if (!is_trusted || !is_anchored) {
        here = there;
        learn(block, address);
    }
}

uint64_t stack_deepest(void)
{
    return (uint64_t)-deepest;
}
