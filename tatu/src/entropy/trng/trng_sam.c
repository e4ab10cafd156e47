#include "registers.h"

/* DS60001507 (SAM D5x/E5x) and DS60001477 (SAM L21), chapter "TRNG", register summary. */
#define CTRLA 0x00
#define CTRLA_ENABLE 0x02
#define INTFLAG 0x0a
#define INTFLAG_DATARDY 0x01 /* cleared when DATA is read */
#define DATA 0x20

void tatu_trng_sam_start(struct tatu_trng *trng, volatile uint8_t *registers)
{
    trng->registers = registers;
    trng->word = 0;
    trng->bytes = 0;
    tatu_internal_write8(registers + CTRLA, CTRLA_ENABLE);
}

int tatu_trng_sam_sample(void *state, uint8_t *sample)
{
    struct tatu_trng *const trng = (struct tatu_trng *)state;
    uint32_t polls = 0;

    if (trng->registers == NULL) {
        return tatu_internal_trng_fail(trng, sample);
    }
    if (trng->bytes == 0) {
        while (!(tatu_internal_read8(trng->registers + INTFLAG) & INTFLAG_DATARDY)) {
            if (++polls == TATU_TRNG_MAX_POLLS) {
                return tatu_internal_trng_fail(trng, sample);
            }
        }
        tatu_internal_trng_set_word(trng, tatu_internal_read32(trng->registers + DATA));
    }
    return tatu_internal_trng_next_byte(trng, sample);
}
