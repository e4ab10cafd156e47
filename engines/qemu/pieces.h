/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of code as the cache fetches them, each of `cache_fetch_bytes`. */
#ifndef BANCADA_PIECES_H
#define BANCADA_PIECES_H

#include <stdint.h>

#include "blocks.h"

/* The part of a block that lies in one piece: from its address up to its end. */
struct piece {
    uint64_t address, end;
};

/* Where the block's part in piece `number` ends. */
uint64_t piece_end(const struct block *block, uint64_t number);

/* The block's part in piece `number`. It is never freed: QEMU keeps it as long as the translated block. */
struct piece *piece_of(const struct block *block, uint64_t number);

#endif
