/* ChaCha20-Poly1305 decryption of a whole message (RFC 8439, section 2.8): the tag first, over the ciphertext, and
 * only if it holds the plaintext. On AVR: chacha20_poly1305_in_turns.c. */
#if !defined(__AVR__)

#include "../chacha20_poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/equal.h"
#include "../../common/wipe_stack.h"
#include "../../poly1305/poly1305_internal.h"
#include "../chacha20_internal.h"

/* Of Poly1305 */
#if defined(TATU_INTERNAL_NEON)
#define STACK_BYTES 320
#else
#define STACK_BYTES 128
#endif

int tatu_chacha20_poly1305_decrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t nonce[12], const uint8_t tag[16])
{
    TATU_INTERNAL_FOR_WORDS uint8_t initial_state[TATU_CHACHA20_BLOCK_BYTES];
    TATU_INTERNAL_FOR_WORDS uint8_t key_stream[TATU_CHACHA20_BLOCK_BYTES];
    uint8_t expected[TATU_CHACHA20_POLY1305_TAG_BYTES];
    struct tatu_internal_poly1305 poly1305;
    int result = TATU_ERR_LENGTH;

    if (tatu_internal_chacha20_poly1305_length_is_valid(length)) {
        tatu_internal_chacha20_poly1305_start(&poly1305, initial_state, key_stream, key, associated_data,
                                              associated_data_length, nonce);
        tatu_internal_poly1305_update(&poly1305, input, length);
        tatu_internal_chacha20_poly1305_finish(&poly1305, associated_data_length, length, expected);
        if (tatu_internal_equal(expected, tag, sizeof expected)) {
            (void)tatu_internal_chacha20_crypt(initial_state, key_stream, 0, output, input, length);
            result = TATU_OK;
        } else {
            result = TATU_ERR_AUTHENTICATION;
        }
        tatu_wipe(initial_state, sizeof initial_state);
        tatu_wipe(key_stream, sizeof key_stream);
        tatu_wipe(expected, sizeof expected);
    }
    if (result != TATU_OK && length > 0) {
        memset(output, 0, length);
    }
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

#else
typedef int tatu_internal_chacha20_poly1305_decrypt_is_elsewhere;
#endif
