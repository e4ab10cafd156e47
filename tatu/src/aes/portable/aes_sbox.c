#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#include "../../common/flash.h"

#define ROW(...) __VA_ARGS__,

/* The S-box, FIPS 197, figure 7. */
const uint8_t tatu_internal_aes_sbox[256] TATU_INTERNAL_IN_FLASH = {
#include "../aes_sbox.inc"
};

#endif
