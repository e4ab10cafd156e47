#include "aes_internal.h"

/* FIPS 197, section 5.1.3. A column (a, b, c, d) becomes 2a + 3b + c + d and so on round. With t = a + b + c + d that
 * is a + t + 2(a + b). */
void tatu_internal_aes_mix_columns(uint8_t state[16])
{
    for (uint8_t column = 0; column < 4; column++, state += 4) {
        const uint8_t a = state[0], b = state[1], c = state[2], d = state[3];
        const uint8_t t = (uint8_t)(a ^ b ^ c ^ d);

        state[0] = (uint8_t)(a ^ t ^ tatu_internal_aes_xtime((uint8_t)(a ^ b)));
        state[1] = (uint8_t)(b ^ t ^ tatu_internal_aes_xtime((uint8_t)(b ^ c)));
        state[2] = (uint8_t)(c ^ t ^ tatu_internal_aes_xtime((uint8_t)(c ^ d)));
        state[3] = (uint8_t)(d ^ t ^ tatu_internal_aes_xtime((uint8_t)(d ^ a)));
    }
}
