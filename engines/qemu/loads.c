/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Encodings are those of the ARMv7-M ARM (DDI 0403E): A5.2 (16 bits) and A5.3 (32 bits). */
#include "loads.h"

#define MOST_REGIONS 4
#define NAME_BYTES 16
#define PC 15U
#define NO_REGISTER 16U

static struct region {
    char name[NAME_BYTES];
    unsigned long long first, last, groups;
} regions_of_loads[MOST_REGIONS];
static int count;
static bool is_pending;

bool loads_add(const char *description)
{
    if (count == MOST_REGIONS) {
        return false;
    }
    struct region *region = &regions_of_loads[count];
    if (sscanf(description, "%15[^:]:%llx:%llx", region->name, &region->first, &region->last) != 3) {
        return false;
    }
    count++;
    return true;
}

bool loads_are_counted(void)
{
    return count > 0;
}

/* What matters of an instruction. */
struct load {
    enum { LOAD_NONE, LOAD_SINGLE, LOAD_OTHER } kind;
    bool writes_back;
    unsigned int target, base, index;
};

static const struct load none = {LOAD_NONE, false, NO_REGISTER, NO_REGISTER, NO_REGISTER};
static const struct load several = {LOAD_OTHER, false, NO_REGISTER, NO_REGISTER, NO_REGISTER};

static unsigned int bits(unsigned int word, unsigned int low, unsigned int number)
{
    return word >> low & ((1U << number) - 1U);
}

static struct load single(unsigned int target, unsigned int base, unsigned int index, bool writes_back)
{
    struct load load = {LOAD_SINGLE, writes_back, target, base, index};
    return load;
}

static struct load load_of_16_bits(unsigned int word)
{
    switch (word >> 12) {
    case 4:
        return bits(word, 11, 1) == 1 ? single(bits(word, 8, 3), PC, NO_REGISTER, false) : none;
    case 5: /* with a register; the first three of eight store */
        return bits(word, 9, 3) >= 3 ? single(bits(word, 0, 3), bits(word, 3, 3), bits(word, 6, 3), false) : none;
    case 6:
    case 7:
    case 8:
        return bits(word, 11, 1) == 1 ? single(bits(word, 0, 3), bits(word, 3, 3), NO_REGISTER, false) : none;
    case 9:
        return bits(word, 11, 1) == 1 ? single(bits(word, 8, 3), 13, NO_REGISTER, false) : none;
    case 11: /* POP */
        return bits(word, 9, 3) == 6 ? several : none;
    case 12: /* LDM */
        return bits(word, 11, 1) == 1 ? several : none;
    default:
        return none;
    }
}

static struct load load_of_32_bits(unsigned int first, unsigned int second)
{
    bool is_load = bits(first, 4, 1) == 1;
    if ((first & 0xfe00U) == 0xe800U || (first & 0xfe00U) == 0xec00U) { /* LDM, LDRD, LDREX, TBB; VLDR, VLDM */
        return is_load ? several : none;
    }
    if ((first & 0xfe00U) != 0xf800U || !is_load) {
        return none;
    }
    unsigned int base = bits(first, 0, 4);
    bool has_long_offset = base == PC || bits(first, 7, 1) == 1;
    bool has_index = !has_long_offset && bits(second, 6, 6) == 0;
    bool writes_back = !has_long_offset && !has_index && bits(second, 8, 1) == 1;
    return single(second >> 12, base, has_index ? bits(second, 0, 4) : NO_REGISTER, writes_back);
}

bool load_begins_group(struct load_before *before, const uint8_t *code, size_t bytes)
{
    unsigned int first = code[0] | (unsigned int)code[1] << 8;
    struct load load =
        bytes == 2 ? load_of_16_bits(first) : load_of_32_bits(first, code[2] | (unsigned int)code[3] << 8);
    bool goes_on = before->is_single && load.kind == LOAD_SINGLE && before->target != load.base &&
                   before->target != load.index &&
                   !(before->writes_back && load.writes_back && before->base == load.base);
    before->is_single = load.kind == LOAD_SINGLE;
    before->writes_back = load.writes_back;
    before->target = load.target;
    before->base = load.base;
    return load.kind != LOAD_NONE && !goes_on;
}

void loads_begin(void)
{
    is_pending = true;
}

void loads_access(uint64_t address)
{
    if (!is_pending) {
        return;
    }
    is_pending = false;
    for (int i = 0; i < count; i++) {
        struct region *region = &regions_of_loads[i];
        region->groups += address >= region->first && address <= region->last;
    }
}

void loads_clear(void)
{
    for (int i = 0; i < count; i++) {
        regions_of_loads[i].groups = 0;
    }
}

void loads_write(FILE *output)
{
    for (int i = 0; i < count; i++) {
        const struct region *region = &regions_of_loads[i];
        (void)fprintf(output, "C %s %llu %llu 0 0 0\n", region->name, region->groups, region->groups);
    }
}
