/* The bootloader: runs a program only if the site's key has signed it, and takes a new one from the serial line.
 * docs/reference/link-bootloader.md has the format and what happens when. MIT licence. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>
#include <tatu/sha256.h>
#include <tatulink/bytes.h>

#include "bootloader/flash.h"
#include "bootloader/floor.h"
#include "bootloader/identity.h"
#include "bootloader/layout.h"
#include "bootloader/line.h"
#include "bootloader/signature.h"

/* Everything here is at a fixed address, which takes less code than frames on the stack, and written before it is read
 * (start.S clears nothing). */

static uint8_t header[HEADER_BYTES];

/* A page and the hash of the next one. */
static struct {
    uint8_t page[PAGE_BYTES];
    uint8_t next[HASH_BYTES];
} block;

static uint8_t found[HASH_BYTES];

/* A hash of each page of the manifest that was verified. */
static uint8_t manifest_hashes[MANIFEST_PAGES][HASH_BYTES];

/* What an outcome is about: a page, or the floor. */
static uint16_t detail;

static uint16_t header_pages(void)
{
    return get_u16(header + HEADER_PAGES_AT);
}

/* 0, or what is told the computer. */
static uint8_t wrong_with_header(uint16_t floor)
{
    identity_read(IDENTITY_FORMAT_AT, found, FORMAT_BYTES);
    if (memcmp(header, found, FORMAT_BYTES) != 0) {
        return TELL_OTHER_DEVICE;
    }
    if ((uint16_t)(header_pages() - 1) >= MAX_PAGES) {
        return TELL_WRONG_SIZE;
    }
    return get_u16(header + HEADER_VERSION_AT) < floor ? TELL_TOO_OLD : 0;
}

static bool same(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, HASH_BYTES) == 0;
}

static void hash_block(uint8_t *hash)
{
    tatu_sha256_small(hash, block.page, sizeof block);
}

/* The signature as it lies in flash, until a computer asks for an update. */
static bool from_flash(uint8_t number, uint8_t item[32])
{
    flash_read((uint16_t)(MANIFEST_AT + ITEM_BYTES * (uint16_t)number), item, ITEM_BYTES);
    return !line_asked();
}

/* Whether the program in flash is the one that its manifest in flash says, and the manifest is signed. False at once if
 * a computer asks for an update. */
static bool program_holds(void)
{
    flash_read(MANIFEST_AT, header, HEADER_BYTES);
    if (wrong_with_header(0) != 0) {
        return false;
    }
    memset(block.next, 0, HASH_BYTES);
    for (uint16_t page = header_pages(); page != 0;) {
        page--;
        flash_read((uint16_t)(page * PAGE_BYTES), block.page, PAGE_BYTES);
        hash_block(block.next);
        if (line_asked()) {
            return false;
        }
    }
    return same(block.next, header + HEADER_FIRST_AT) && signature_holds(header, from_flash);
}

/* The signature as it comes. A hash of each of its pages is kept: what is written later is what was verified. */
static bool from_line(uint8_t number, uint8_t item[32])
{
    uint8_t *place = block.page + ITEM_BYTES * (number % PAGE_ITEMS);

    line_fetch(number, place);
    memcpy(item, place, ITEM_BYTES);
    if (number % PAGE_ITEMS == PAGE_ITEMS - 1) {
        hash_block(manifest_hashes[number / PAGE_ITEMS]);
    }
    return true;
}

/* Sees to it that a page of this hash, with block.next behind it, is in flash. Its items are asked for only if it is
 * not. False if they are not the page. */
static bool put_page(uint16_t page, uint16_t item, const uint8_t *hash)
{
    uint16_t address = (uint16_t)(page * PAGE_BYTES);

    flash_read(address, block.page, PAGE_BYTES);
    hash_block(found);
    if (!same(found, hash)) {
        for (uint8_t i = 0; i < PAGE_BYTES; i = (uint8_t)(i + ITEM_BYTES)) {
            line_fetch(item++, block.page + i);
        }
        hash_block(found);
        if (!same(found, hash)) {
            return false;
        }
        flash_write_page(address, block.page);
    }
    return true;
}

/* Whether all of the image is in flash now; if not, what is told the computer. */
static uint8_t update(void)
{
    detail = floor_version();
    line_tell(TELL_HELLO, detail);
    line_drain();
    memset(block.next, 0, HASH_BYTES);
    (void)from_line(0, header);
    (void)from_line(1, header + ITEM_BYTES);
    uint8_t wrong = wrong_with_header(detail);
    if (wrong != 0) {
        return wrong;
    }
    if (!signature_holds(header, from_line)) {
        return TELL_WRONG_SIGNATURE;
    }
    uint16_t item = MANIFEST_ITEMS;
    for (detail = 0; detail < header_pages(); detail++) {
        line_fetch(item++, block.next);
        if (!put_page(detail, item, header + HEADER_FIRST_AT)) {
            return TELL_WRONG_PAGE;
        }
        item = (uint16_t)(item + PAGE_ITEMS);
        memcpy(header + HEADER_FIRST_AT, block.next, HASH_BYTES);
    }
    memset(block.next, 0, HASH_BYTES);
    for (uint8_t page = 0; page < MANIFEST_PAGES; page++) {
        if (!put_page((uint16_t)(MANIFEST_AT / PAGE_BYTES + page), (uint16_t)(PAGE_ITEMS * page),
                      manifest_hashes[page])) {
            return TELL_WRONG_SIGNATURE;
        }
    }
    return TELL_DONE;
}

/* Never returns, so it need not save what it uses. */
int main(void) __attribute__((OS_main));

int main(void)
{
    line_start();
    if (program_holds()) {
        floor_raise(get_u16(header + HEADER_VERSION_AT));
        line_end();
        __asm__ volatile("jmp 0");
    }
    while (!line_asked()) {
    }
    uint8_t outcome = update();
    line_tell(outcome, detail);
    __asm__ volatile("jmp __vectors");
    __builtin_unreachable();
}
