/* Registers of a peripheral. A test replaces these functions by a simulated peripheral, because memory alone does not
 * change when it is read. */
#ifndef TATU_ENTROPY_TRNG_REGISTERS_H
#define TATU_ENTROPY_TRNG_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/trng.h>

#if defined(TATU_INTERNAL_SIMULATED_REGISTERS)

uint8_t tatu_internal_read8(const volatile uint8_t *address);
void tatu_internal_write8(volatile uint8_t *address, uint8_t value);
uint32_t tatu_internal_read32(const volatile uint8_t *address);
void tatu_internal_write32(volatile uint8_t *address, uint32_t value);

#else

static inline uint8_t tatu_internal_read8(const volatile uint8_t *address)
{
    return *address;
}

static inline void tatu_internal_write8(volatile uint8_t *address, uint8_t value)
{
    *address = value;
}

static inline uint32_t tatu_internal_read32(const volatile uint8_t *address)
{
    return *(const volatile uint32_t *)(const volatile void *)address;
}

static inline void tatu_internal_write32(volatile uint8_t *address, uint32_t value)
{
    *(volatile uint32_t *)(volatile void *)address = value;
}

#endif

/* What a failed driver does: nothing any more. */
static inline int tatu_internal_trng_fail(struct tatu_trng *trng, uint8_t *sample)
{
    trng->registers = NULL;
    trng->word = 0;
    trng->bytes = 0;
    *sample = 0;
    return TATU_ERR_ENTROPY;
}

/* Hands a word out byte by byte. */
static inline void tatu_internal_trng_set_word(struct tatu_trng *trng, uint32_t word)
{
    trng->word = word;
    trng->bytes = 4;
}

static inline int tatu_internal_trng_next_byte(struct tatu_trng *trng, uint8_t *sample)
{
    *sample = (uint8_t)trng->word;
    trng->word >>= 8;
    trng->bytes--;
    return TATU_OK;
}

#endif
