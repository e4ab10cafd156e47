/* Public keys as SEC 1 writes them. Nothing here is secret. */
#include <tatu/p256.h>

#include <string.h>

#include "../common/flash.h"
#include "p256_state.h"

enum {
    X = TATU_INTERNAL_P256_X,
    Y = TATU_INTERNAL_P256_Y,
    Z = TATU_INTERNAL_P256_Z,
    X2 = TATU_INTERNAL_P256_X2,
    T0 = TATU_INTERNAL_P256_T0,
    T1 = TATU_INTERNAL_P256_T1,
    T2 = TATU_INTERNAL_P256_T2
};

#define EVEN 2
#define ODD 3
#define UNCOMPRESSED 4

void tatu_p256_encode(uint8_t encoding[65], const uint8_t public_key[64])
{
    memmove(encoding + 1, public_key, TATU_P256_PUBLIC_KEY_BYTES);
    encoding[0] = UNCOMPRESSED;
}

void tatu_p256_encode_compressed(uint8_t encoding[33], const uint8_t public_key[64])
{
    const uint8_t is_odd = public_key[63] & 1;

    memmove(encoding + 1, public_key, 32);
    encoding[0] = (uint8_t)(EVEN + is_odd);
}

static const uint8_t to_form[] TATU_INTERNAL_IN_FLASH = {
    TATU_INTERNAL_P256_MULTIPLY(X, X, T2),
    TATU_INTERNAL_P256_END,
};

/* X2 = Z^((p + 1) / 4), Y = X2 / 2^256, T0 = X2^2 - Z */
static const uint8_t root[] TATU_INTERNAL_IN_FLASH = {
    TATU_INTERNAL_P256_SQUARE_TIMES(X2, 96),
    TATU_INTERNAL_P256_MULTIPLY(X2, X2, Z),
    TATU_INTERNAL_P256_SQUARE_TIMES(X2, 94),
    TATU_INTERNAL_P256_SQUARE(T0, X2),
    TATU_INTERNAL_P256_SUBTRACT(T0, T0, Z),
    TATU_INTERNAL_P256_MULTIPLY(Y, X2, T2),
    TATU_INTERNAL_P256_END,
};

static int decompress(uint8_t public_key[64], const uint8_t x[32], uint8_t is_odd)
{
    struct tatu_internal_p256_state state;

    tatu_internal_p256_load(state.number[X], x);
    if (!tatu_internal_p256_is_below(state.number[X], TATU_INTERNAL_P256_PRIME)) {
        return TATU_ERR_KEY;
    }
    memcpy(public_key, x, 32);
    tatu_internal_p256_load_constant(state.number[T2], TATU_INTERNAL_P256_SQUARED);
    tatu_internal_p256_run(&state, to_form);
    tatu_internal_p256_right_side(&state);
    memcpy(state.number[Z], state.number[T1], sizeof state.number[Z]);
    tatu_internal_p256_run(&state, tatu_internal_p256_power);
    memset(state.number[T2], 0, sizeof state.number[T2]);
    state.number[T2][0] = 1;
    tatu_internal_p256_run(&state, root);
    if (!tatu_internal_p256_is_zero(&state, T0)) {
        return TATU_ERR_KEY;
    }
    /* y is never 0: no point has order 2 */
    tatu_internal_p256_reduce_once(state.number[Y], TATU_INTERNAL_P256_PRIME);
    if ((state.number[Y][0] & 1) != is_odd) {
        tatu_internal_p256_subtract_from(TATU_INTERNAL_P256_PRIME, state.number[Y]);
    }
    tatu_internal_p256_store(public_key + 32, state.number[Y]);
    return TATU_OK;
}

int tatu_p256_decode(uint8_t public_key[64], const uint8_t *encoding, size_t length)
{
    int result = TATU_ERR_LENGTH;

    if (length == TATU_P256_UNCOMPRESSED_BYTES) {
        result = encoding[0] == UNCOMPRESSED ? tatu_p256_check_public_key(encoding + 1) : TATU_ERR_KEY;
        if (result == TATU_OK) {
            memmove(public_key, encoding + 1, TATU_P256_PUBLIC_KEY_BYTES);
        }
    } else if (length == TATU_P256_COMPRESSED_BYTES) {
        uint8_t x[32];
        const uint8_t first = encoding[0];

        memcpy(x, encoding + 1, sizeof x);
        result = first == EVEN || first == ODD ? decompress(public_key, x, first & 1) : TATU_ERR_KEY;
    }
    if (result != TATU_OK) {
        memset(public_key, 0, TATU_P256_PUBLIC_KEY_BYTES);
    }
    return result;
}
