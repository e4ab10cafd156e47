/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sets.h"

#include <stdio.h>
#include <stdlib.h>

struct mapping {
    uint64_t address;
    bool is_thumb;
};

static struct mapping *mappings;
static size_t count;

bool sets_read(int file)
{
    size_t room = 0;
    unsigned long long address;
    char set;
    FILE *lines = fdopen(file, "r");
    if (lines == NULL) {
        return false;
    }
    while (fscanf(lines, "%llx %c", &address, &set) == 2) {
        if (count == room) {
            room = room * 2 + 1024;
            struct mapping *larger = realloc(mappings, room * sizeof *mappings);
            if (larger == NULL) {
                return false;
            }
            mappings = larger;
        }
        mappings[count].address = address;
        mappings[count++].is_thumb = set == 't';
    }
    (void)fclose(lines);
    return true;
}

bool sets_is_thumb(uint64_t address)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mappings[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && mappings[low - 1].is_thumb;
}
