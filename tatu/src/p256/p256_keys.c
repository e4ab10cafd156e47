#include <tatu/p256.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "p256_internal.h"

uint8_t tatu_internal_p256_load_scalar(tatu_internal_p256_number scalar, const uint8_t bytes[32])
{
    uint8_t is_valid;

    tatu_internal_p256_load(scalar, bytes);
    is_valid = (uint8_t)((tatu_internal_p256_is_nothing(scalar) ^ 1) &
                         tatu_internal_p256_is_below(scalar, TATU_INTERNAL_P256_ORDER));
    TATU_INTERNAL_DECLASSIFY(is_valid);
    return is_valid;
}

TATU_INTERNAL_P256_ALONE void tatu_internal_p256_base_point_times(uint8_t public_key[64],
                                                                  const tatu_internal_p256_number scalar)
{
    struct tatu_internal_p256_state state;

    tatu_internal_p256_multiply_base(&state, scalar);
    tatu_internal_p256_store(public_key, state.number[TATU_INTERNAL_P256_X]);
    tatu_internal_p256_store(public_key + 32, state.number[TATU_INTERNAL_P256_Y]);
    tatu_wipe(&state, sizeof state);
}

#if defined(__AVR__)
/* No deeper than what has been used (tatu_internal_wipe_stack does nothing on AVR); and the registers that a function
 * may change. */
TATU_INTERNAL_P256_ALONE void tatu_internal_p256_wipe_frames(void)
{
    uint8_t frames[480];

    tatu_wipe(frames, sizeof frames);
    __asm__ volatile("clr r18\n\tclr r19\n\tclr r20\n\tclr r21" ::: "r18", "r19", "r20", "r21");
}
#else
void tatu_internal_p256_wipe_frames(void)
{
    tatu_internal_wipe_stack(1024);
}
#endif

int tatu_p256_public_key(uint8_t public_key[64], const uint8_t secret_key[32])
{
    tatu_internal_p256_number scalar;
    int result = TATU_ERR_KEY;

    if (tatu_internal_p256_load_scalar(scalar, secret_key)) {
        tatu_internal_p256_base_point_times(public_key, scalar);
        result = TATU_OK;
    } else {
        memset(public_key, 0, TATU_P256_PUBLIC_KEY_BYTES);
    }
    tatu_wipe(scalar, sizeof scalar);
    tatu_internal_p256_wipe_frames();
    return result;
}

int tatu_p256_check_public_key(const uint8_t public_key[64])
{
    struct tatu_internal_p256_state state;

    return tatu_internal_p256_load_point(&state, public_key);
}
