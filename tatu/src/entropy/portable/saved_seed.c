#include <tatu/saved_seed.h>

#include <string.h>

#include <tatu/aes.h>
#include <tatu/equal.h>
#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/flash.h"

#define PLACES 2
#define CHECK_BYTES 4
#define PLACE_BYTES (TATU_DRBG_SEED_BYTES + CHECK_BYTES)
#define ERASED 0xff

/* A seed, and behind it the check. */
struct record {
    uint8_t bytes[PLACE_BYTES];
};

static const uint8_t name[16] TATU_INTERNAL_IN_FLASH = {'T', 'a', 't', 'u', ' ', 's', 'e', 'e', 'd', ' ', '1'};

/* CBC-MAC under a public key, of this name and the seed: what tells a seed from other data. It keeps no secret and
 * proves nothing of who wrote it. */
static void compute_check(const uint8_t seed[TATU_DRBG_SEED_BYTES], uint8_t check[CHECK_BYTES])
{
    uint8_t mac[16];
    struct tatu_aes128_small zero_key;

    for (uint8_t i = 0; i < sizeof mac; i++) {
        mac[i] = TATU_INTERNAL_READ_FLASH_BYTE(name + i);
    }
    memset(&zero_key, 0, sizeof zero_key);
    for (uint8_t i = 0; i < TATU_DRBG_SEED_BYTES; i = (uint8_t)(i + sizeof mac)) {
        tatu_aes128_small_encrypt(&zero_key, mac, mac);
        tatu_internal_xor(mac, seed + i, sizeof mac);
    }
    tatu_aes128_small_encrypt(&zero_key, mac, mac);
    memcpy(check, mac, CHECK_BYTES);
    tatu_wipe(mac, sizeof mac);
}

static void read_place(const struct tatu_saved_seed *saved, uint8_t place, struct record *record)
{
    for (uint8_t i = 0; i < PLACE_BYTES; i++) {
        record->bytes[i] = saved->read(saved->memory, (uint8_t)(place * PLACE_BYTES + i));
    }
}

static int has_seed(const struct tatu_saved_seed *saved, uint8_t place, struct record *record)
{
    uint8_t check[CHECK_BYTES];

    read_place(saved, place, record);
    compute_check(record->bytes, check);
    return tatu_equal(check, record->bytes + TATU_DRBG_SEED_BYTES, CHECK_BYTES);
}

static void write_byte(const struct tatu_saved_seed *saved, uint8_t place, uint8_t i, uint8_t byte)
{
    const uint8_t offset = (uint8_t)(place * PLACE_BYTES + i);

    if (saved->read(saved->memory, offset) != byte) {
        saved->write(saved->memory, offset, byte);
    }
}

/* What is half erased or half written has a wrong check, but for once in 2^32. */
static int erase(const struct tatu_saved_seed *saved, uint8_t place)
{
    uint8_t others = 0;

    for (uint8_t i = 0; i < PLACE_BYTES; i++) {
        write_byte(saved, place, i, ERASED);
        others = (uint8_t)(others | (saved->read(saved->memory, (uint8_t)(place * PLACE_BYTES + i)) ^ ERASED));
    }
    return others == 0 ? TATU_OK : TATU_ERR_STATE;
}

static int save_next(const struct tatu_saved_seed *saved, uint8_t place, struct tatu_drbg *drbg)
{
    struct record record;
    const int result = tatu_drbg_generate(drbg, record.bytes, TATU_DRBG_SEED_BYTES);

    if (result == TATU_OK) {
        compute_check(record.bytes, record.bytes + TATU_DRBG_SEED_BYTES);
        for (uint8_t i = 0; i < PLACE_BYTES; i++) {
            write_byte(saved, place, i, record.bytes[i]);
        }
    }
    tatu_wipe(&record, sizeof record);
    return result;
}

static int give_seed(void *state, uint8_t *output, size_t length)
{
    memcpy(output, ((const struct record *)state)->bytes, length);
    return TATU_OK;
}

/* TATU_OK; TATU_ERR_STATE if there is no seed that may be used; TATU_ERR_ENTROPY if the samples failed. */
static int start_from_seed(const struct tatu_saved_seed *saved, struct tatu_drbg *drbg)
{
    struct record record;
    uint8_t place = 0;
    int result = TATU_ERR_STATE;

    while (place < PLACES && !has_seed(saved, place, &record)) {
        place++;
    }
    if (place < PLACES) {
        result = tatu_drbg_start(drbg, give_seed, &record);
        if (result == TATU_OK) {
            result = tatu_drbg_reseed(drbg, saved->fresh, saved->fresh_state);
        }
        if (result == TATU_OK) {
            result = save_next(saved, (uint8_t)(PLACES - 1 - place), drbg);
        }
        if (result == TATU_OK) {
            result = erase(saved, place);
        }
    }
    tatu_wipe(&record, sizeof record);
    return result;
}

int tatu_saved_seed_start(const struct tatu_saved_seed *saved, struct tatu_drbg *drbg)
{
    int result = start_from_seed(saved, drbg);

    if (result == TATU_ERR_STATE) {
        result = tatu_drbg_start(drbg, saved->full, saved->full_state);
        if (result == TATU_OK) {
            result = save_next(saved, 0, drbg);
        }
    }
    if (result != TATU_OK) {
        tatu_wipe(drbg, sizeof *drbg);
    }
    return result == TATU_OK ? TATU_OK : TATU_ERR_ENTROPY;
}
