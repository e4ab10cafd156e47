/* What encryption and decryption of ChaCha20-Poly1305 share (RFC 8439, section 2.8). */
#include "../chacha20_poly1305_internal.h"

#include "../../common/bytes.h"
#include "../../poly1305/poly1305_internal.h"
#include "../chacha20_internal.h"

void tatu_internal_chacha20_poly1305_start(struct tatu_internal_poly1305 *poly1305, uint8_t initial_state[64],
                                           uint8_t key_stream[64], const uint8_t key[32],
                                           const uint8_t *associated_data, size_t associated_data_length,
                                           const uint8_t nonce[12])
{
    tatu_internal_chacha20_start(initial_state, key, 0, nonce);
    tatu_internal_chacha20_next_block(key_stream, initial_state);
    tatu_internal_poly1305_init(poly1305, key_stream);
    tatu_internal_poly1305_update(poly1305, associated_data, associated_data_length);
    tatu_internal_poly1305_pad(poly1305);
}

void tatu_internal_chacha20_poly1305_finish(struct tatu_internal_poly1305 *poly1305, uint64_t associated_data_length,
                                            uint64_t length, uint8_t tag[16])
{
    uint8_t lengths[16];
    tatu_internal_store64_le(lengths, associated_data_length);
    tatu_internal_store64_le(lengths + 8, length);
    tatu_internal_poly1305_pad(poly1305);
    tatu_internal_poly1305_update(poly1305, lengths, sizeof lengths);
    tatu_internal_poly1305_final(poly1305, tag);
}
