#include <tatu/noise.h>

#include <string.h>

#include <tatu/aes.h>
#include <tatu/wipe.h>

#include "../health.h"

#define BLOCK_BYTES 16

/* With 0.5 bit a sample, 384 samples carry 192 bits: 64 more than the 128 that come out, which is what SP 800-90C asks
 * for before it calls the output of a vetted conditioning component full entropy. */
#define SAMPLES_PER_BLOCK 384

/* SP 800-90B, section 4.3: start-up tests see at least 1024 samples. Two blocks are made of them. */
#define START_SAMPLES_PER_BLOCK 512

/* The key of a conditioning component may be public and fixed (SP 800-90B, section 3.1.5.1.1). All zeros, so that it is
 * plain that nothing is hidden in it. */
static void encrypt(uint8_t block[BLOCK_BYTES])
{
    struct tatu_aes128_small zero_key;

    memset(&zero_key, 0, sizeof zero_key);
    tatu_aes128_small_encrypt(&zero_key, block, block);
}

/* CBC-MAC (SP 800-90B, appendix F) of the next `samples` samples, a multiple of 16, into `block`. */
static int condition(struct tatu_noise *noise, uint16_t samples, uint8_t block[BLOCK_BYTES])
{
    uint8_t position = 0;

    memset(block, 0, BLOCK_BYTES);
    for (; samples > 0; samples--) {
        uint8_t sample = 0;

        if (noise->take_sample(noise->take_sample_state, &sample) != TATU_OK ||
            tatu_internal_health_check(&noise->health, sample) != TATU_OK) {
            return TATU_ERR_ENTROPY;
        }
        block[position] ^= sample;
        position++;
        if (position == BLOCK_BYTES) {
            position = 0;
            encrypt(block);
        }
    }
    return TATU_OK;
}

/* A source that failed once gives nothing more (SP 800-90B, section 4.3), not even what it had ready. */
static int fail(struct tatu_noise *noise)
{
    noise->is_working = 0;
    tatu_wipe(noise->pool, sizeof noise->pool);
    return TATU_ERR_ENTROPY;
}

int tatu_noise_start(struct tatu_noise *noise, tatu_noise_function *take_sample, void *take_sample_state)
{
    noise->take_sample = take_sample;
    noise->take_sample_state = take_sample_state;
    tatu_internal_health_start(&noise->health);
    for (uint8_t i = 0; i < TATU_NOISE_START_BYTES; i = (uint8_t)(i + BLOCK_BYTES)) {
        if (condition(noise, START_SAMPLES_PER_BLOCK, noise->pool + i) != TATU_OK) {
            return fail(noise);
        }
    }
    noise->pool_bytes = TATU_NOISE_START_BYTES;
    noise->is_working = 1;
    return TATU_OK;
}

int tatu_noise_read(void *state, uint8_t *output, size_t length)
{
    struct tatu_noise *const noise = (struct tatu_noise *)state;

    for (size_t i = 0; i < length; i++) {
        if (noise->is_working && noise->pool_bytes == 0) {
            if (condition(noise, SAMPLES_PER_BLOCK, noise->pool) != TATU_OK) {
                (void)fail(noise);
            }
            noise->pool_bytes = BLOCK_BYTES;
        }
        if (!noise->is_working) {
            tatu_wipe(output, length);
            return TATU_ERR_ENTROPY;
        }
        noise->pool_bytes--;
        output[i] = noise->pool[noise->pool_bytes];
        noise->pool[noise->pool_bytes] = 0;
    }
    return TATU_OK;
}
