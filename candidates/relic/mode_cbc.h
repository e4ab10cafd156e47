/* RELIC's AES-CBC, which pads by itself and takes the IV: it comes from the harness, and goes in front. */
#include <relic_conf.h>
#include <relic_types.h>
#include <relic_bc.h>

#define RELIC_OK 0

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    size_t room = *output_bytes - BANCADA_NONCE_BYTES;
    (void)associated;
    (void)associated_length;
    if (bancada_entropy(NULL, output, BANCADA_NONCE_BYTES) != 0 ||
        bc_aes_cbc_enc(output + BANCADA_NONCE_BYTES, &room, input, length, key, BANCADA_KEY_BYTES, output) !=
            RELIC_OK) {
        return -1;
    }
    *output_bytes = BANCADA_NONCE_BYTES + room;
    return 0;
}

/* bc_aes_cbc_dec says RLC_OK for wrong padding: its negative length became a size_t. Only the length shows it. */
static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    (void)associated;
    (void)associated_length;
    if (length < BANCADA_NONCE_BYTES ||
        bc_aes_cbc_dec(output, output_bytes, input + BANCADA_NONCE_BYTES, length - BANCADA_NONCE_BYTES, key,
                       BANCADA_KEY_BYTES, input) != RELIC_OK) {
        return -1;
    }
    return *output_bytes < length ? 0 : -1;
}
