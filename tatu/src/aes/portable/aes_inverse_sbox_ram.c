#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#define ROW(...) __VA_ARGS__,

/* The inverse S-box, FIPS 197, figure 14. On AVR a constant that is not marked for flash lives in RAM. */
const uint8_t tatu_internal_aes_inverse_sbox_ram[256] = {
#include "../aes_inverse_sbox.inc"
};

#endif
