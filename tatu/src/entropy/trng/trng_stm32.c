#include "registers.h"

/* RM0090 Rev 11, section 24.4; RM0351 Rev 5, section 27.7. */
#define CR 0x00
#define CR_RNGEN (UINT32_C(1) << 2)
#define SR 0x04
#define SR_DRDY (UINT32_C(1) << 0)
#define SR_CECS (UINT32_C(1) << 1)
#define SR_SECS (UINT32_C(1) << 2)
#define SR_CEIS (UINT32_C(1) << 5)
#define SR_SEIS (UINT32_C(1) << 6)
#define SR_ERRORS (SR_CECS | SR_SECS | SR_CEIS | SR_SEIS)
#define DR 0x08

#define FIRST_WORD 0xff /* `bytes` of a driver that has seen no word yet */

void tatu_trng_stm32_start(struct tatu_trng *trng, volatile uint8_t *registers)
{
    trng->registers = registers;
    trng->word = 0;
    trng->bytes = FIRST_WORD;
    /* After a seed error: clear SEIS, clear RNGEN, set RNGEN (section 24.3.2; RM0351, section 27.3.7). */
    tatu_internal_write32(registers + SR, 0);
    tatu_internal_write32(registers + CR, 0);
    tatu_internal_write32(registers + CR, CR_RNGEN);
}

static int read_word(const struct tatu_trng *trng, uint32_t *word)
{
    for (uint32_t polls = 0; polls < TATU_TRNG_MAX_POLLS; polls++) {
        const uint32_t status = tatu_internal_read32(trng->registers + SR);

        if (status & SR_ERRORS) {
            return TATU_ERR_ENTROPY;
        }
        if (status & SR_DRDY) {
            *word = tatu_internal_read32(trng->registers + DR);
            /* A word is no good if the error came with it. */
            return tatu_internal_read32(trng->registers + SR) & SR_ERRORS ? TATU_ERR_ENTROPY : TATU_OK;
        }
    }
    return TATU_ERR_ENTROPY;
}

int tatu_trng_stm32_sample(void *state, uint8_t *sample)
{
    struct tatu_trng *const trng = (struct tatu_trng *)state;
    uint32_t word = 0;

    if (trng->registers == NULL) {
        return tatu_internal_trng_fail(trng, sample);
    }
    if (trng->bytes == FIRST_WORD) {
        if (read_word(trng, &word) != TATU_OK) {
            return tatu_internal_trng_fail(trng, sample);
        }
        trng->bytes = 0;
    }
    if (trng->bytes == 0) {
        if (read_word(trng, &word) != TATU_OK) {
            return tatu_internal_trng_fail(trng, sample);
        }
        tatu_internal_trng_set_word(trng, word);
    }
    return tatu_internal_trng_next_byte(trng, sample);
}
