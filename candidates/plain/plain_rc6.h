/* RC6-32/20 as its paper writes it (R. Rivest et al., "The RC6 Block Cipher", 1998), with nothing done for speed or
 * size. It is measured beside the plain AES; it is not a library to use. */
#ifndef PLAIN_RC6_H
#define PLAIN_RC6_H

#include <stdint.h>

#define PLAIN_RC6_ROUNDS 20

struct plain_rc6 {
    uint32_t round_keys[2 * PLAIN_RC6_ROUNDS + 4];
};

void plain_rc6_set_key(struct plain_rc6 *rc6, const uint8_t *key, int key_bytes);
void plain_rc6_encrypt(const struct plain_rc6 *rc6, uint8_t output[16], const uint8_t input[16]);
void plain_rc6_decrypt(const struct plain_rc6 *rc6, uint8_t output[16], const uint8_t input[16]);

#endif
