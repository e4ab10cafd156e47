/* Where Tatu's CBC finds its IVs on the device: a generator seeded once, on an AVR from the watchdog's jitter, elsewhere from what
 * the board layer has. */
#include <tatu/drbg.h>

static struct tatu_drbg generator;
static uint8_t is_seeded;

#if defined(__AVR__)
#include <avr/interrupt.h>
#include <tatu/entropy_avr.h>

TATU_ENTROPY_AVR_INTERRUPT()

static int seed(void)
{
    struct tatu_entropy_avr source;
    sei(); /* the monitor measures with interrupts off; the entropy source needs the watchdog's */
    int status = tatu_entropy_avr_start(&source);
    if (status == TATU_OK) {
        status = tatu_drbg_start(&generator, tatu_entropy_avr_read, &source);
    }
    cli();
    return status;
}
#else
int device_entropy(void *state, uint8_t *bytes, size_t length);

static int seed(void)
{
    return tatu_drbg_start(&generator, device_entropy, NULL);
}
#endif

int bancada_device_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    if (!is_seeded) {
        int status = seed();
        if (status != TATU_OK) {
            return status;
        }
        is_seeded = 1;
    }
    return tatu_drbg_generate(&generator, output, length);
}
