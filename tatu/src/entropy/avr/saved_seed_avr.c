#include <tatu/saved_seed_avr.h>

#if defined(TATU_HAS_ENTROPY_AVR)

#include <avr/eeprom.h>

#include <tatu/wipe.h>

static uint8_t *address_of(void *memory, uint8_t offset)
{
    return (uint8_t *)(*(const uint16_t *)memory + offset);
}

static uint8_t read_byte(void *memory, uint8_t offset)
{
    return eeprom_read_byte(address_of(memory, offset));
}

static void write_byte(void *memory, uint8_t offset, uint8_t byte)
{
    eeprom_write_byte(address_of(memory, offset), byte);
    eeprom_busy_wait();
}

static int take_samples(void *state, uint8_t *output, size_t length)
{
    (void)state;
    return tatu_entropy_avr_sample(output, length);
}

static int take_entropy(void *state, uint8_t *output, size_t length)
{
    struct tatu_entropy_avr source;
    int result = tatu_entropy_avr_start(&source);

    (void)state;
    if (result == TATU_OK) {
        result = tatu_entropy_avr_read(&source, output, length);
    }
    tatu_wipe(&source, sizeof source);
    return result;
}

int tatu_saved_seed_avr_start(struct tatu_drbg *drbg, uint16_t eeprom_address)
{
    const struct tatu_saved_seed saved = {read_byte, write_byte, &eeprom_address, take_samples, 0, take_entropy, 0};

    return tatu_saved_seed_start(&saved, drbg);
}

#else

typedef int tatu_internal_this_device_has_no_saved_seed_avr;

#endif
