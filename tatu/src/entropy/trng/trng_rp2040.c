#include "registers.h"

/* RP2040 data sheet, section 2.17.8, "List of registers". */
#define STATUS 0x18
#define STATUS_STABLE (UINT32_C(1) << 31)
#define STATUS_ENABLED (UINT32_C(1) << 12)
#define RANDOMBIT 0x1c

/* Reads of the status before each bit, so that the oscillator's jitter adds up: 256 reads of four cycles of 125 MHz
 * and more are 8 us, 50 periods of 6.5 MHz. */
#define READS_BEFORE_A_BIT 256

void tatu_trng_rp2040_start(struct tatu_trng *trng, volatile uint8_t *registers)
{
    trng->registers = registers;
    trng->word = 0;
    trng->bytes = 0;
}

int tatu_trng_rp2040_sample(void *state, uint8_t *sample)
{
    struct tatu_trng *const trng = (struct tatu_trng *)state;
    uint32_t bits = 0;

    if (trng->registers == NULL) {
        return tatu_internal_trng_fail(trng, sample);
    }
    for (uint8_t bit = 0; bit < 8; bit++) {
        for (uint16_t i = 0; i < READS_BEFORE_A_BIT; i++) {
            const uint32_t status = tatu_internal_read32(trng->registers + STATUS);

            if ((status & STATUS_STABLE) == 0 || (status & STATUS_ENABLED) == 0) {
                return tatu_internal_trng_fail(trng, sample);
            }
        }
        bits = bits << 1 | (tatu_internal_read32(trng->registers + RANDOMBIT) & 1);
    }
    *sample = (uint8_t)bits;
    return TATU_OK;
}
