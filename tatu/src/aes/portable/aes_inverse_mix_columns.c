#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

/* FIPS 197, section 5.3.3. The inverse polynomial is the forward one times 4x^2 + 5 (modulo x^4 + 1), so: multiply by
 * that, then mix as in encryption. 4x^2 + 5 adds 4(a + c) to a and c, and 4(b + d) to b and d. */
void tatu_internal_aes_inverse_mix_columns(struct tatu_internal_aes_state *state)
{
    for (uint8_t column = 0; column < 4; column++) {
        uint8_t *const s = state->cells + 4 * column;
        const uint8_t even = tatu_internal_aes_xtime(tatu_internal_aes_xtime((uint8_t)(s[0] ^ s[2])));
        const uint8_t odd = tatu_internal_aes_xtime(tatu_internal_aes_xtime((uint8_t)(s[1] ^ s[3])));

        s[0] ^= even;
        s[1] ^= odd;
        s[2] ^= even;
        s[3] ^= odd;
    }
    tatu_internal_aes_mix_columns(state);
}

#endif
