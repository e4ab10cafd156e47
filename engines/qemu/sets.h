/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which instruction set the code at an address of an Arm program is in. QEMU does not tell plugins, and a block of
 * four-byte instructions may be of either set: the program's mapping symbols say (ELF for the Arm Architecture,
 * "Mapping symbols"). */
#ifndef BANCADA_SETS_H
#define BANCADA_SETS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads lines "address(hex) a" or "address(hex) t", by ascending address: from there on it is A32 or T32. */
bool sets_read(int file);

bool sets_is_thumb(uint64_t address);

#endif
