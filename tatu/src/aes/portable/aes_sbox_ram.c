#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#define ROW(...) __VA_ARGS__,

/* The S-box, FIPS 197, figure 7. On AVR a constant that is not marked for flash lives in RAM. */
const uint8_t tatu_internal_aes_sbox_ram[256] = {
#include "../aes_sbox.inc"
};

#endif
