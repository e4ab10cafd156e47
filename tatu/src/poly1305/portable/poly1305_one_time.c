/* Poly1305 by itself (RFC 8439, section 2.5). */
#include <tatu/poly1305.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/equal.h"
#include "../../common/wipe_stack.h"
#include "../poly1305_internal.h"

/* Of what multiplies */
#if defined(TATU_INTERNAL_NEON)
#define STACK_BYTES 320
#else
#define STACK_BYTES 128
#endif

void tatu_poly1305_one_time_init(struct tatu_poly1305_one_time *mac, const uint8_t one_time_key[32])
{
    tatu_internal_poly1305_init(&mac->poly1305, one_time_key);
    mac->is_open = 1;
}

void tatu_poly1305_one_time_update(struct tatu_poly1305_one_time *mac, const uint8_t *input, size_t length)
{
    if (mac->is_open) {
        tatu_internal_poly1305_update(&mac->poly1305, input, length);
    }
}

int tatu_poly1305_one_time_final(struct tatu_poly1305_one_time *mac, uint8_t tag[16])
{
    if (!mac->is_open) {
        memset(tag, 0, TATU_POLY1305_TAG_BYTES);
        return TATU_ERR_STATE;
    }
    tatu_internal_poly1305_end(&mac->poly1305);
    tatu_internal_poly1305_final(&mac->poly1305, tag);
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

int tatu_poly1305_one_time_verify_final(struct tatu_poly1305_one_time *mac, const uint8_t tag[16])
{
    uint8_t right_tag[TATU_POLY1305_TAG_BYTES];
    int result = tatu_poly1305_one_time_final(mac, right_tag);

    if (result == TATU_OK && !tatu_internal_equal(right_tag, tag, sizeof right_tag)) {
        result = TATU_ERR_AUTHENTICATION;
    }
    tatu_wipe(right_tag, sizeof right_tag);
    return result;
}

void tatu_poly1305_one_time(const uint8_t one_time_key[32], uint8_t tag[16], const uint8_t *input, size_t length)
{
    struct tatu_internal_poly1305 poly1305;

    tatu_internal_poly1305_init(&poly1305, one_time_key);
    tatu_internal_poly1305_update(&poly1305, input, length);
    tatu_internal_poly1305_end(&poly1305);
    tatu_internal_poly1305_final(&poly1305, tag);
    tatu_internal_wipe_stack(STACK_BYTES);
}

int tatu_poly1305_one_time_verify(const uint8_t one_time_key[32], const uint8_t tag[16], const uint8_t *input,
                                  size_t length)
{
    uint8_t right_tag[TATU_POLY1305_TAG_BYTES];
    int result = TATU_OK;

    tatu_poly1305_one_time(one_time_key, right_tag, input, length);
    if (!tatu_internal_equal(right_tag, tag, sizeof right_tag)) {
        result = TATU_ERR_AUTHENTICATION;
    }
    tatu_wipe(right_tag, sizeof right_tag);
    return result;
}
