/* Functions of libgcrypt that handle many blocks in a call. */
#include <stddef.h>
#include <stdint.h>

unsigned _gcry_sha512_transform_arm(void *, const void *, const uint64_t *, size_t);
unsigned _gcry_sha512_transform_armv7_neon(void *, const void *, const uint64_t *, size_t);
unsigned _gcry_sha1_transform_armv7_neon(void *, const void *, size_t);
unsigned _gcry_sha1_transform_armv8_ce(void *, const void *, size_t);
unsigned _gcry_sha256_transform_armv8_ce(void *, const void *, size_t, const void *);
unsigned _gcry_keccak_absorb_lanes64_armv7_neon(void *, int, const void *, unsigned, int);
unsigned _gcry_arm_neon_salsa20_encrypt(void *, const void *, unsigned, void *, unsigned);
unsigned _gcry_chacha20_armv7_neon_blocks4(void *, void *, const void *, size_t);
unsigned _gcry_chacha20_aarch64_blocks4(void *, void *, const void *, size_t);
unsigned _gcry_chacha20_poly1305_aarch64_blocks4(void *, void *, const void *, size_t, void *, const void *);
unsigned _gcry_ghash_armv7_neon(void *, void *, const void *, size_t);
unsigned _gcry_ghash_armv8_ce_pmull(void *, void *, const void *, size_t, void *);
unsigned _gcry_polyval_armv8_ce_pmull(void *, void *, const void *, size_t, void *);
void _gcry_crc32r_armv8_ce_bulk(uint32_t *, const void *, size_t, const void *);

typedef void serpent(void *, void *, const void *, void *);
serpent _gcry_serpent_neon_ctr_enc, _gcry_serpent_neon_cfb_dec, _gcry_serpent_neon_cbc_dec;

typedef void aes(const void *, void *, const void *, void *, size_t, unsigned);
aes _gcry_aes_cbc_dec_armv8_ce, _gcry_aes_cfb_enc_armv8_ce, _gcry_aes_cfb_dec_armv8_ce, _gcry_aes_ctr_enc_armv8_ce,
    _gcry_aes_xts_enc_armv8_ce, _gcry_aes_xts_dec_armv8_ce;
void _gcry_aes_cbc_enc_armv8_ce(const void *, void *, const void *, void *, size_t, int, unsigned);
void _gcry_aes_ocb_enc_armv8_ce(const void *, void *, const void *, void *, void *, void *, size_t, unsigned, unsigned);

/* Any values will do for the time. Keccak's last round is known by a value of all ones behind its constants. */
static const uint64_t constants[80] = {0x428a2f98d728ae22, 0x7137449123ef65cd};
const uint64_t _gcry_keccak_round_consts_64bit[25] = {1, 2, 3, [24] = ~0ULL};

/* A call for each group of blocks. */
#define EACH(group, call)                            \
    for (size_t at = 0; at < bytes; at += (group)) { \
        call;                                        \
    }
