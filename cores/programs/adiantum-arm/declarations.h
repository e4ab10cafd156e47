/* Functions of Adiantum's benchmark. A bit-sliced AES reads its keys from the driver's `context`. */
#include <stddef.h>
#include <stdint.h>

void chacha_4block_xor_neon(uint32_t *state, void *to, const void *from, int rounds);
void aesbs_xts_encrypt(void *to, const void *from, const void *keys, int rounds, int blocks, void *tweak);
void aesbs_xts_decrypt(void *to, const void *from, const void *keys, int rounds, int blocks, void *tweak);

typedef void speck(const void *keys, int rounds, void *to, const void *from, unsigned bytes, void *tweak);
speck speck128_xts_encrypt_neon, speck128_xts_decrypt_neon, speck64_xts_encrypt_neon, speck64_xts_decrypt_neon;

typedef void xts(const void *keys, void *to, const void *from, unsigned bytes, void *tweak);
xts noekeon_xts_encrypt_neon, noekeon_xts_decrypt_neon, xtea_xts_encrypt_neon, xtea_xts_decrypt_neon;

/* A call for each group of bytes. */
#define EACH(group, call)                            \
    for (size_t at = 0; at < bytes; at += (group)) { \
        call;                                        \
    }
