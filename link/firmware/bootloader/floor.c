#include "bootloader/floor.h"

#include <avr/pgmspace.h>

#include "bootloader/flash.h"
#include "bootloader/layout.h"

#define FIRST ((const uint16_t *)FLOOR_AT)
#define SECOND ((const uint16_t *)(FLOOR_AT + PAGE_BYTES))

/* 0 if the page is not whole. */
static uint16_t version_in(const uint16_t *page)
{
    uint16_t version = pgm_read_word(page);

    for (uint8_t words = PAGE_BYTES / 2; words != 0; words--) {
        if (pgm_read_word(page++) != version) {
            return 0;
        }
        version = (uint16_t)~version;
    }
    return version;
}

uint16_t floor_version(void)
{
    uint16_t first = version_in(FIRST), second = version_in(SECOND);
    return first > second ? first : second;
}

void floor_raise(uint16_t version)
{
    uint16_t floor = floor_version();

    if (version > floor) {
        static uint16_t page[PAGE_BYTES / 2];
        for (uint8_t i = 0; i < PAGE_BYTES / 2; i++) {
            page[i] = version;
            version = (uint16_t)~version;
        }
        flash_write_page((uint16_t)(version_in(FIRST) == floor ? SECOND : FIRST), (const uint8_t *)page);
    }
}
