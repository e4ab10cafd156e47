/* The generator against NIST's CAVP vectors (CTR_DRBG.rsp, "AES-128 no df", no prediction resistance, without
 * additional input or personalization; the second of two requests of 64 bytes counts), the noise source's health tests,
 * and what happens when entropy fails. */
#include <tatu/drbg.h>
#include <tatu/entropy_system.h>
#include <tatu/noise.h>
#include <tatu/saved_seed.h>
#include <tatu/trng.h>
#include <tatu/wipe.h>

#include "kit.h"

static void check_drbg_vector(const char *seed_text, const char *reseed_text, const char *expected_text)
{
    uint8_t seed[32], reseed[32], expected[64], output[64];
    struct kit_entropy entropy = {seed, sizeof seed};
    struct kit_entropy more_entropy = {reseed, sizeof reseed};
    struct tatu_drbg drbg;

    CHECK(kit_bytes(seed, seed_text) == sizeof seed);
    CHECK(kit_bytes(expected, expected_text) == sizeof expected);
    CHECK(tatu_drbg_start(&drbg, kit_entropy_take, &entropy) == TATU_OK);
    if (reseed_text != NULL) {
        CHECK(kit_bytes(reseed, reseed_text) == sizeof reseed);
        CHECK(tatu_drbg_reseed(&drbg, kit_entropy_take, &more_entropy) == TATU_OK);
    }
    CHECK(tatu_drbg_generate(&drbg, output, sizeof output) == TATU_OK);
    CHECK(tatu_drbg_generate(&drbg, output, sizeof output) == TATU_OK);
    CHECK_BYTES(output, expected, sizeof expected);
}

static void check_drbg_failures(void)
{
    static uint8_t output[65537];
    uint8_t seed[32] = {1};
    struct kit_entropy entropy = {seed, sizeof seed};
    struct kit_entropy no_entropy = {seed, 31};
    struct tatu_drbg drbg, before;

    memset(output, 1, sizeof output);
    CHECK(tatu_drbg_start(&drbg, kit_entropy_take, &no_entropy) == TATU_ERR_ENTROPY);
    CHECK(tatu_drbg_generate(&drbg, output, 16) == TATU_ERR_EXHAUSTED);
    CHECK(kit_is_zero(output, 16) && output[16] == 1);

    CHECK(tatu_drbg_start(&drbg, kit_entropy_take, &entropy) == TATU_OK);
    CHECK(tatu_drbg_generate(&drbg, output, sizeof output) == TATU_ERR_LENGTH);
    CHECK(kit_is_zero(output, sizeof output));
    CHECK(tatu_drbg_generate(&drbg, output, sizeof output - 1) == TATU_OK);
    CHECK(!kit_is_zero(output + sizeof output - 17, 16));

    before = drbg;
    CHECK(tatu_drbg_reseed(&drbg, kit_entropy_take, &no_entropy) == TATU_ERR_ENTROPY);
    CHECK(memcmp(&drbg.key, &before.key, sizeof drbg.key) == 0 && memcmp(drbg.v, before.v, 16) == 0);
    drbg.requests_left = 1;
    CHECK(tatu_drbg_generate(&drbg, output, 1) == TATU_OK);
    CHECK(tatu_drbg_generate(&drbg, output, 1) == TATU_ERR_EXHAUSTED);
    CHECK(output[0] == 0);
}

/* A noise source for tests: values in turn; from sample `stuck_at` on always the same; no answer at `silent_at`. */
struct fake_source {
    uint32_t samples;
    uint32_t stuck_at;
    uint32_t silent_at;
};

static int take_fake_sample(void *state, uint8_t *sample)
{
    struct fake_source *const source = (struct fake_source *)state;

    if (source->samples == source->silent_at) {
        return -1;
    }
    *sample = source->samples < source->stuck_at ? (uint8_t)(source->samples * UINT32_C(2654435761) >> 24) : 3;
    source->samples++;
    return 0;
}

static void check_noise(void)
{
    uint8_t output[48], again[48];
    struct tatu_noise noise;
    struct fake_source good = {0, UINT32_MAX, UINT32_MAX};
    struct fake_source stuck = {0, 0, UINT32_MAX};
    struct fake_source dies = {0, 1024 + 100, UINT32_MAX};
    struct fake_source silent = {0, UINT32_MAX, 1023};

    CHECK(tatu_noise_start(&noise, take_fake_sample, &good) == TATU_OK);
    CHECK(good.samples == 1024); /* SP 800-90B, section 4.3 */
    CHECK(tatu_noise_read(&noise, output, 32) == TATU_OK);
    CHECK(good.samples == 1024); /* the start's bytes */
    CHECK(tatu_noise_read(&noise, output + 32, 16) == TATU_OK);
    CHECK(good.samples == 1024 + 384);
    CHECK(memcmp(output, output + 16, 16) != 0 && memcmp(output + 16, output + 32, 16) != 0);
    CHECK(kit_is_zero(noise.pool, 16));

    memset(again, 1, sizeof again);
    CHECK(tatu_noise_start(&noise, take_fake_sample, &stuck) == TATU_ERR_ENTROPY);
    CHECK(stuck.samples == 41); /* the repetition count test's cutoff */
    CHECK(tatu_noise_read(&noise, again, 48) == TATU_ERR_ENTROPY);
    CHECK(kit_is_zero(again, 48));

    CHECK(tatu_noise_start(&noise, take_fake_sample, &dies) == TATU_OK);
    memset(again, 1, sizeof again);
    CHECK(tatu_noise_read(&noise, again, 40) == TATU_ERR_ENTROPY); /* 32 bytes are there, 8 are not: nothing */
    CHECK(kit_is_zero(again, 40) && again[40] == 1);
    dies.stuck_at = UINT32_MAX; /* it recovers, and stays refused until it is started again */
    CHECK(tatu_noise_read(&noise, again, 1) == TATU_ERR_ENTROPY);
    CHECK(tatu_noise_start(&noise, take_fake_sample, &dies) == TATU_OK);
    CHECK(tatu_noise_read(&noise, again, 1) == TATU_OK);

    CHECK(tatu_noise_start(&noise, take_fake_sample, &silent) == TATU_ERR_ENTROPY);
    CHECK(tatu_noise_read(&noise, again, 1) == TATU_ERR_ENTROPY);
}

/* A beat between two values, as of an oscillator without jitter: the lag test's window is full after 512 samples. */
static int take_beat(void *state, uint8_t *sample)
{
    uint32_t *const samples = (uint32_t *)state;

    *sample = (uint8_t)((*samples + 1) * 5 / 11 - *samples * 5 / 11);
    (*samples)++;
    return 0;
}

static void check_beat(void)
{
    struct tatu_noise noise;
    uint32_t samples = 0;

    CHECK(tatu_noise_start(&noise, take_beat, &samples) == TATU_ERR_ENTROPY);
    CHECK(samples == 512);
}

/* A driver that was never started, or has failed, gives no sample. */
static void check_trng(void)
{
    struct tatu_trng trng = {NULL, 0, 0};
    uint8_t sample = 1;

    CHECK(tatu_trng_stm32_sample(&trng, &sample) == TATU_ERR_ENTROPY && sample == 0);
    CHECK(tatu_trng_sam_sample(&trng, &sample) == TATU_ERR_ENTROPY);
    CHECK(tatu_trng_nrf_sample(&trng, &sample) == TATU_ERR_ENTROPY);
    CHECK(tatu_trng_rp2040_sample(&trng, &sample) == TATU_ERR_ENTROPY);
}

static void check_system(void)
{
#if defined(TATU_HAS_ENTROPY_SYSTEM)
    uint8_t one[300], other[300];

    CHECK(tatu_entropy_system_read(NULL, one, sizeof one) == TATU_OK);
    CHECK(tatu_entropy_system_read(NULL, other, sizeof other) == TATU_OK);
    CHECK(memcmp(one, other, sizeof one) != 0);
#endif
}

static uint8_t read_byte(void *memory, uint8_t offset)
{
    return ((const uint8_t *)memory)[offset];
}

static void write_byte(void *memory, uint8_t offset, uint8_t byte)
{
    ((uint8_t *)memory)[offset] = byte;
}

/* The first start needs the full source, later ones do not; each output is new, although the samples are not. */
static void check_saved_seed(void)
{
    uint8_t memory[TATU_SAVED_SEED_BYTES], seed[32] = {1}, fresh[2 * TATU_SAVED_SEED_SAMPLES] = {2};
    uint8_t output[3][16];
    struct kit_entropy full = {seed, sizeof seed}, samples = {fresh, sizeof fresh};
    const struct tatu_saved_seed saved = {read_byte, write_byte,       memory, kit_entropy_take,
                                          &samples,  kit_entropy_take, &full};
    struct tatu_drbg drbg;

    memset(memory, 0xff, sizeof memory);
    for (size_t i = 0; i < 3; i++) {
        CHECK(tatu_saved_seed_start(&saved, &drbg) == TATU_OK);
        CHECK(tatu_drbg_generate(&drbg, output[i], sizeof output[i]) == TATU_OK);
    }
    CHECK(memcmp(output[0], output[1], 16) != 0 && memcmp(output[1], output[2], 16) != 0);
    CHECK(tatu_saved_seed_start(&saved, &drbg) == TATU_ERR_ENTROPY); /* no samples are left */
    CHECK(tatu_drbg_generate(&drbg, output[0], 16) == TATU_ERR_EXHAUSTED);
}

static void check_wipe(void)
{
    uint8_t secret[19];

    memset(secret, 1, sizeof secret);
    tatu_wipe(secret + 1, 17);
    CHECK(secret[0] == 1 && kit_is_zero(secret + 1, 17) && secret[18] == 1);
    tatu_wipe(secret, 0);
    CHECK(secret[0] == 1);
}

int main(void)
{
    check_drbg_vector("ce50f33da5d4c1d3d4004eb35244b7f2cd7f2e5076fbf6780a7ff634b249a5fc", NULL,
                      "6545c0529d372443b392ceb3ae3a99a30f963eaf313280f1d1a1e87f9db373d3"
                      "61e75d18018266499cccd64d9bbb8de0185f213383080faddec46bae1f784e5a");
    check_drbg_vector("a385f70a4d450321dfd18d8379ef8e7736fee5fbf0a0aea53b76696094e8aa93", NULL,
                      "1a062553ab60457ed1f1c52f5aca5a3be564a27545358c112ed92c6eae2cb759"
                      "7cfcc2e0a5dd81c5bfecc941da5e8152a9010d4845170734676c8c1b6b3073a5");
    check_drbg_vector("ed1e7f21ef66ea5d8e2a85b9337245445b71d6393a4eecb0e63c193d0f72f9a9",
                      "303fb519f0a4e17d6df0b6426aa0ecb2a36079bd48be47ad2a8dbfe48da3efad",
                      "f80111d08e874672f32f42997133a5210f7a9375e22cea70587f9cfafebe0f6a"
                      "6aa2eb68e7dd9164536d53fa020fcab20f54caddfab7d6d91e5ffec1dfd8deaa");
    check_drbg_failures();
    check_noise();
    check_beat();
    check_trng();
    check_system();
    check_saved_seed();
    check_wipe();
    return kit_result();
}
