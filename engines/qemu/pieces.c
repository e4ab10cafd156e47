/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"
#include "pieces.h"

uint64_t piece_end(const struct block *block, uint64_t number)
{
    uint64_t block_end = block->address + block->bytes;
    uint64_t end = (number + 1) * cache_fetch_bytes();
    return end < block_end ? end : block_end;
}

struct piece *piece_of(const struct block *block, uint64_t number)
{
    struct piece *piece = malloc(sizeof *piece);
    if (piece == NULL) {
        (void)fputs("bancada's profiler: out of memory\n", stderr);
        abort();
    }
    piece->address = number * cache_fetch_bytes();
    piece->end = piece_end(block, number);
    return piece;
}
