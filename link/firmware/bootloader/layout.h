/* Where things are in the flash of an ATmega328P with this bootloader, and what an image is.
 *
 *   0x0000  the program, 202 pages at most
 *   0x6500  its manifest: 80 items of 32 bytes
 *   0x6f00  the floor, twice: no version below it is installed
 *   0x7000  the bootloader (fuses BOOTSZ = 00, BOOTRST = 0)
 *   0x7fc0  the identity: whose signatures hold, and which device this is
 *
 * An image is a file of items of 32 bytes. The first 80 are the manifest, the others are the pages in order:
 *
 *    0, 1    the header: "BLF" and the device type (4 bytes), version (2), pages (2), leaf of the signature (2), zeros
 *            (22); then the hash of page 0
 *    2       C, 3 to 69 the chains, 70 to 79 the path: an LMS signature of the header (RFC 8554, section 5.4) with
 *            LMS_SHA256_M32_H10 and LMOTS_SHA256_N32_W4
 *    80 + 5p the hash of page p + 1, zeros after the last one
 *    81 + 5p to 84 + 5p    page p
 *
 * The hash of page p is SHA-256(page p, hash of page p + 1). So each page is known to be right before it is written.
 *
 * MIT licence. */
#ifndef LINK_BOOTLOADER_LAYOUT_H
#define LINK_BOOTLOADER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define ITEM_BYTES 32
#define PAGE_BYTES 128
#define PAGE_ITEMS (PAGE_BYTES / ITEM_BYTES)
#define HASH_BYTES 32

#define MANIFEST_ITEMS 80
#define MANIFEST_PAGES (MANIFEST_ITEMS / PAGE_ITEMS)
#define BLOCK_ITEMS (1 + PAGE_ITEMS)

#define MANIFEST_AT 0x6500
#define MAX_PAGES (MANIFEST_AT / PAGE_BYTES)
#define FLOOR_AT 0x6f00
#define IDENTITY_AT 0x7fc0

#define HEADER_BYTES 64
#define HEADER_VERSION_AT 4
#define HEADER_PAGES_AT 6
#define HEADER_LEAF_AT 8
#define HEADER_FIRST_AT 32

/* At IDENTITY_AT: I and the root of the public key (RFC 8554, section 5.3), then how a header begins. */
#define IDENTIFIER_BYTES 16
#define IDENTITY_ROOT_AT 16
#define IDENTITY_FORMAT_AT 48
#define IDENTITY_TYPE_AT 51
#define FORMAT_BYTES 4

#endif
