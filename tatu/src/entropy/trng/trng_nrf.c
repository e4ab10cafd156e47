#include "registers.h"

/* nRF52832 Product Specification, chapter "RNG", registers. */
#define TASKS_START 0x000
#define EVENTS_VALRDY 0x100
#define CONFIG 0x504
#define CONFIG_DERCEN 1 /* bias correction */
#define VALUE 0x508

void tatu_trng_nrf_start(struct tatu_trng *trng, volatile uint8_t *registers)
{
    trng->registers = registers;
    trng->word = 0;
    trng->bytes = 0;
    tatu_internal_write32(registers + CONFIG, CONFIG_DERCEN);
    tatu_internal_write32(registers + EVENTS_VALRDY, 0);
    tatu_internal_write32(registers + TASKS_START, 1);
}

int tatu_trng_nrf_sample(void *state, uint8_t *sample)
{
    struct tatu_trng *const trng = (struct tatu_trng *)state;
    uint32_t polls = 0;

    if (trng->registers == NULL) {
        return tatu_internal_trng_fail(trng, sample);
    }
    while (tatu_internal_read32(trng->registers + EVENTS_VALRDY) == 0) {
        if (++polls == TATU_TRNG_MAX_POLLS) {
            return tatu_internal_trng_fail(trng, sample);
        }
    }
    /* In this order: a value that comes between the two is a new one, and its event stays. */
    tatu_internal_write32(trng->registers + EVENTS_VALRDY, 0);
    *sample = (uint8_t)tatu_internal_read32(trng->registers + VALUE);
    return TATU_OK;
}
