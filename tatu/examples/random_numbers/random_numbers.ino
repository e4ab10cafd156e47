// Random numbers for keys and nonces. On an UNO, Nano, Mega or Leonardo they come from the watchdog's jitter; the first
// start takes 17 seconds, later ones less than one, because a seed is saved in EEPROM. On boards with a hardware
// generator they come from there; here an STM32's. On a computer tatu/entropy_system.h asks the operating system.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <tatu/drbg.h>
#if defined(__AVR__)
#include <tatu/saved_seed_avr.h>
TATU_ENTROPY_AVR_INTERRUPT()
#elif defined(__linux__) || defined(__APPLE__)
#include <tatu/entropy_system.h>
#else
#include <tatu/noise.h>
#include <tatu/trng.h>
#endif

static tatu_drbg generator;

static bool start()
{
#if defined(__AVR__)
    return tatu_saved_seed_avr_start(&generator, 0) == TATU_OK;
#elif defined(__linux__) || defined(__APPLE__)
    return tatu_drbg_start(&generator, tatu_entropy_system_read, NULL) == TATU_OK;
#else
    static tatu_trng trng;
    static tatu_noise noise;

    tatu_trng_stm32_start(&trng, TATU_TRNG_STM32_REGISTERS); // after the peripheral's clock was switched on
    return tatu_noise_start(&noise, tatu_trng_stm32_sample, &trng) == TATU_OK &&
           tatu_drbg_start(&generator, tatu_noise_read, &noise) == TATU_OK;
#endif
}

void setup()
{
    Serial.begin(9600);
    Serial.println(start() ? F("ready") : F("no entropy: there are no random numbers"));
}

void loop()
{
    uint8_t number[8];

    if (tatu_drbg_generate(&generator, number, sizeof number) == TATU_OK) {
        for (uint8_t i = 0; i < sizeof number; i++) {
            Serial.print(number[i] >> 4, HEX);
            Serial.print(number[i] & 15, HEX);
        }
        Serial.println();
    }
    delay(1000);
}
