#include "bootloader/flash.h"

#include <avr/boot.h>
#include <avr/pgmspace.h>
#include <string.h>

#include "bootloader/layout.h"

#define BIT(n) ((uint8_t)(1U << (n)))

/* SPM, four cycles after its command at the latest (ATmega328P data sheet, "SPMCSR"). A write of EEPROM that the
 * program had begun would stop it, but ended long before: the first page comes later than 4 ms after a reset. */
static void __attribute__((noinline)) spm(uint16_t address, uint8_t command, uint16_t word)
{
    __asm__ volatile("movw r0, %[word]\n\t"
                     "out %[control], %[command]\n\t"
                     "spm\n\t"
                     "clr r1"
                     :
                     : [word] "r"(word), [control] "I"(_SFR_IO_ADDR(SPMCSR)), [command] "r"(command), "z"(address)
                     : "r0", "memory");
    boot_spm_busy_wait();
}

void flash_read(uint16_t address, uint8_t *to, uint8_t bytes)
{
    memcpy_P(to, (const void *)address, bytes);
}

void flash_write_page(uint16_t address, const uint8_t *page)
{
    const uint16_t *words = (const uint16_t *)page;

    spm(address, BIT(SELFPRGEN) | BIT(PGERS), 0);
    for (uint8_t i = 0; i < PAGE_BYTES; i = (uint8_t)(i + 2)) {
        spm(address + i, BIT(SELFPRGEN), *words++);
    }
    spm(address, BIT(SELFPRGEN) | BIT(PGWRT), 0);
    spm(address, BIT(SELFPRGEN) | BIT(RWWSRE), 0);
}
