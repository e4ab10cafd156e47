/* ChaCha20-Poly1305 encryption, whole and in pieces (RFC 8439, section 2.8). Whole on AVR:
 * chacha20_poly1305_in_turns.c. */
#include "../chacha20_poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../../poly1305/poly1305_internal.h"
#include "../chacha20_internal.h"

/* A message's status while all is well. Zeroed memory is none. */
#define OPEN 1

/* Of Poly1305 */
#if defined(TATU_INTERNAL_NEON)
#define STACK_BYTES 320
#else
#define STACK_BYTES 128
#endif

void tatu_chacha20_poly1305_encrypt_init(struct tatu_chacha20_poly1305_encryption *encryption, const uint8_t key[32],
                                         const uint8_t *associated_data, size_t associated_data_length,
                                         const uint8_t nonce[12])
{
    encryption->associated_data_length = associated_data_length;
    encryption->length = 0;
    tatu_internal_chacha20_poly1305_start(&encryption->poly1305, encryption->initial_state, encryption->key_stream, key,
                                          associated_data, associated_data_length, nonce);
    encryption->status = OPEN;
}

/* What is wrong with a message whose status is not OPEN. */
static int error(const struct tatu_chacha20_poly1305_encryption *encryption)
{
    return encryption->status == 0 ? TATU_ERR_STATE : encryption->status;
}

int tatu_chacha20_poly1305_encrypt_update(struct tatu_chacha20_poly1305_encryption *encryption, uint8_t *output,
                                          const uint8_t *input, size_t length)
{
    if (encryption->status == OPEN && (!tatu_internal_chacha20_poly1305_length_is_valid((uint64_t)length) ||
                                       !tatu_internal_chacha20_poly1305_length_is_valid(encryption->length + length))) {
        tatu_wipe(encryption, sizeof *encryption);
        encryption->status = TATU_ERR_LENGTH;
    }
    if (encryption->status != OPEN) {
        tatu_wipe(output, length);
        return error(encryption);
    }
    (void)tatu_internal_chacha20_crypt(encryption->initial_state, encryption->key_stream,
                                       (uint8_t)(encryption->length % TATU_CHACHA20_BLOCK_BYTES), output, input,
                                       length);
    tatu_internal_poly1305_update(&encryption->poly1305, output, length);
    encryption->length += length;
    return TATU_OK;
}

int tatu_chacha20_poly1305_encrypt_final(struct tatu_chacha20_poly1305_encryption *encryption, uint8_t tag[16])
{
    if (encryption->status != OPEN) {
        memset(tag, 0, TATU_CHACHA20_POLY1305_TAG_BYTES);
        return error(encryption);
    }
    tatu_internal_chacha20_poly1305_finish(&encryption->poly1305, encryption->associated_data_length,
                                           encryption->length, tag);
    tatu_wipe(encryption, sizeof *encryption);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

#if !defined(__AVR__)

int tatu_chacha20_poly1305_encrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t nonce[12], uint8_t tag[16])
{
    struct tatu_chacha20_poly1305_encryption encryption;

    tatu_chacha20_poly1305_encrypt_init(&encryption, key, associated_data, associated_data_length, nonce);
    (void)!tatu_chacha20_poly1305_encrypt_update(&encryption, output, input, length); /* an error stays */
    return tatu_chacha20_poly1305_encrypt_final(&encryption, tag);
}

#endif
