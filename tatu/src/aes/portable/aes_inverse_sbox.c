#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#include "../../common/flash.h"

#define ROW(...) __VA_ARGS__,

/* The inverse S-box, FIPS 197, figure 14. */
const uint8_t tatu_internal_aes_inverse_sbox[256] TATU_INTERNAL_IN_FLASH = {
#include "../aes_inverse_sbox.inc"
};

#endif
