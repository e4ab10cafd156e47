#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

/* FIPS 197, section 5.1.3. A column (a, b, c, d) becomes 2a + 3b + c + d and so on round. With t = a + b + c + d that
 * is a + t + 2(a + b). */
void tatu_internal_aes_mix_columns(struct tatu_internal_aes_state *state)
{
    uint8_t *column = state->cells;

    for (uint8_t i = 0; i < 4; i++, column += 4) {
        const uint8_t a = column[0], b = column[1], c = column[2], d = column[3];
        const uint8_t t = (uint8_t)(a ^ b ^ c ^ d);

        column[0] = (uint8_t)(a ^ t ^ tatu_internal_aes_xtime((uint8_t)(a ^ b)));
        column[1] = (uint8_t)(b ^ t ^ tatu_internal_aes_xtime((uint8_t)(b ^ c)));
        column[2] = (uint8_t)(c ^ t ^ tatu_internal_aes_xtime((uint8_t)(c ^ d)));
        column[3] = (uint8_t)(d ^ t ^ tatu_internal_aes_xtime((uint8_t)(d ^ a)));
    }
}

#endif
