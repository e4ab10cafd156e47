/* Every operation of Tatu that handles a secret, each once, for who looks whether its way depends on it: a sanitizer
 * (constant_time_driver.c) or a comparison of traces (tests/portability/trace_driver.c). The including file defines
 *
 *     static void make_secret(void *memory, size_t length);
 */
#include <string.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/cbc.h>
#include <tatu/ccm.h>
#include <tatu/chacha20.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/ed25519.h>
#include <tatu/equal.h>
#include <tatu/gcm.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/ml_dsa.h>
#include <tatu/ml_kem.h>
#include <tatu/p256.h>
#include <tatu/rc6.h>
#include <tatu/sealed.h>
#include <tatu/secp256k1.h>
#include <tatu/sha256.h>
#include <tatu/sha512.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>
#include <tatu/x25519.h>

#include "base_points.h"
#include "ml_dsa/ml_dsa_vectors.h"

static uint8_t key[32];
static uint8_t block[16];
static uint8_t packet[16 + 48];
static uint8_t message[300];
static uint8_t output[300];
static uint8_t tag[16];
static uint8_t sealed[40 + TATU_SEALED_MORE_BYTES];

static int public_iv(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0x11, length);
    return TATU_OK;
}

#define RUN(context_type, set_key, function) \
    do {                                     \
        struct context_type context;         \
        make_secret(key, sizeof key);        \
        make_secret(block, sizeof block);    \
        set_key(&context, key);              \
        function(&context, block, block);    \
    } while (0)

#define RUN_VARIANTS(name)                                                         \
    RUN(name, name##_set_key, name##_encrypt);                                     \
    RUN(name, name##_set_key, name##_decrypt);                                     \
    RUN(name##_small, name##_small_set_key, name##_small_encrypt);                 \
    RUN(name##_small_decrypt, name##_small_set_decrypt_key, name##_small_decrypt); \
    RUN(name##_tiny, name##_tiny_set_key, name##_tiny_encrypt);                    \
    RUN(name##_tiny, name##_tiny_set_key, name##_tiny_decrypt)

#define DEFINE_VARIANTS(name)   \
    static int run_##name(void) \
    {                           \
        RUN_VARIANTS(name);     \
        return 0;               \
    }

DEFINE_VARIANTS(tatu_aes128)
DEFINE_VARIANTS(tatu_aes192)
DEFINE_VARIANTS(tatu_aes256)
DEFINE_VARIANTS(tatu_speck128_128)
DEFINE_VARIANTS(tatu_speck128_192)
DEFINE_VARIANTS(tatu_speck128_256)
DEFINE_VARIANTS(tatu_speck64_128)

static int run_tables_in_ram(void)
{
    RUN(tatu_aes128, tatu_aes128_ram_set_key, tatu_aes128_ram_encrypt);
    RUN(tatu_aes128, tatu_aes128_ram_set_key, tatu_aes128_ram_decrypt);
    return 0;
}

static int run_modes(void)
{
    struct tatu_aes128 context;
    struct tatu_ctr ctr;
    struct tatu_drbg drbg;
    int results = 0;

    make_secret(key, sizeof key);
    make_secret(packet, sizeof packet);
    tatu_aes128_set_key(&context, key);
    results |= tatu_cbc_encrypt(tatu_aes128_encrypter(&context), packet, packet, 48, public_iv, NULL);
    results |= tatu_cbc_decrypt(tatu_aes128_decrypter(&context), packet, packet, 48);
    results |= tatu_ctr_start(&ctr, tatu_aes128_encrypter(&context), public_iv, NULL);
    results |= tatu_ctr_encrypt(&ctr, packet, packet, 47);
    results |= tatu_drbg_start(&drbg, public_iv, NULL);
    make_secret(&drbg.key, sizeof drbg.key);
    make_secret(drbg.v, sizeof drbg.v);
    results |= tatu_drbg_generate(&drbg, packet, sizeof packet);
    results |= tatu_drbg_generate(&drbg, packet, 1);
    return results;
}

static int run_rc6(void)
{
    struct tatu_rc6 context;

    make_secret(key, sizeof key);
    make_secret(block, sizeof block);
    tatu_rc6_128_set_key(&context, key);
    tatu_rc6_192_set_key(&context, key);
    tatu_rc6_256_set_key(&context, key);
    tatu_rc6_encrypt(&context, block, block);
    tatu_rc6_decrypt(&context, block, block);
    return 0;
}

static int run_hashes(void)
{
    make_secret(message, sizeof message);
    tatu_ascon_hash256(output, message, sizeof message);
    tatu_ascon_xof128(output, sizeof output, message, sizeof message);
    tatu_sha256(output, message, sizeof message);
    tatu_sha512(output, message, sizeof message);
    tatu_sha3_256(output, message, sizeof message);
    tatu_sha3_512(output, message, sizeof message);
    tatu_shake128(output, sizeof output, message, sizeof message);
    tatu_shake256(output, sizeof output, message, sizeof message);
    make_secret(key, sizeof key);
    tatu_hmac_sha256(key, sizeof key, output, message, sizeof message);
    tatu_ascon_mac(key, output, message, sizeof message);
    tatu_poly1305_one_time(key, output, message, sizeof message - 1);
    (void)!tatu_hkdf_sha256(output, 100, message, 16, key, sizeof key, message, 20);
    return 0;
}

/* Encryption and tags only: a decryption branches on whether the tag holds, which its result tells everyone. */
static int run_authentication(void)
{
    static const uint8_t nonce[16] = {1};
    const size_t length = sizeof message - 1;
    struct tatu_aes128 aes;
    struct tatu_speck64_128 speck;
    struct tatu_cmac_key cmac;
    struct tatu_gcm_key gcm;
    int results = 0;

    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    tatu_aes128_set_key(&aes, key);
    tatu_speck64_128_set_key(&speck, key);
    results |= tatu_ascon_aead128_encrypt(key, output, message, length, message, 21, nonce, tag, sizeof tag);
    results |= tatu_chacha20_crypt(key, output, message, length, 1, nonce);
    results |= tatu_chacha20_poly1305_encrypt(key, output, message, length, message, 21, nonce, tag);
    results |= tatu_aes128_ccm_encrypt(&aes, output, message, length, message, 21, nonce, 13, tag, sizeof tag);
    results |= tatu_gcm_set_key(&gcm, tatu_aes128_encrypter(&aes));
    results |= tatu_gcm_encrypt(&gcm, output, message, length, message, 21, nonce, tag, sizeof tag);
    tatu_cmac_set_key(&cmac, tatu_aes128_encrypter(&aes));
    results |= tatu_cmac(&cmac, tag, 16, message, length);
    tatu_cmac_set_key(&cmac, tatu_speck64_128_encrypter(&speck));
    results |= tatu_cmac(&cmac, tag, 8, message, length);
    return results;
}

/* Not the result of tatu_x25519, which tells everyone whether the public key was refused. */
static int run_key_exchange(void)
{
    static const uint8_t peer[32] = {9, 8, 7};

    make_secret(key, sizeof key);
    tatu_x25519_public_key(output, key);
    (void)!tatu_x25519(output, key, peer);
    return 0;
}

/* The base point is the peer's key. What is said of a result, or that a key is none, everyone may know. */
#define DEFINE_CURVE(curve)                                         \
    static int run_##curve(void)                                    \
    {                                                               \
        int results = 0;                                            \
        make_secret(key, sizeof key);                               \
        make_secret(message, 32);                                   \
        results |= tatu_##curve##_public_key(output, key);          \
        results |= tatu_##curve##_ecdh(output, key, curve##_point); \
        results |= tatu_##curve##_sign(key, output, message);       \
        return results;                                             \
    }
DEFINE_CURVE(p256)
DEFINE_CURVE(secp256k1)

static int run_signing(void)
{
    static uint8_t signature[64];
    struct tatu_ed25519_key ed25519;

    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    tatu_ed25519_set_key(&ed25519, key);
    tatu_ed25519_sign(&ed25519, signature, message, 100);
    return 0;
}

/* The public parts of the keys and the ciphertext are not marked, but for the seed of new keys, of which a part becomes
 * public: only who is told so can follow it (tatu/src/common/declassify.h). */
static int secret_seed(void *state, uint8_t *output, size_t length)
{
    (void)state;
    make_secret(output, length);
    return TATU_OK;
}

static uint8_t encapsulation_key[TATU_ML_KEM_768_ENCAPSULATION_KEY_BYTES];
static uint8_t decapsulation_key[TATU_ML_KEM_768_DECAPSULATION_KEY_BYTES];
static uint8_t ciphertext[TATU_ML_KEM_768_CIPHERTEXT_BYTES];

static void make_ml_kem_keys(size_t secret_polynomials, size_t encapsulation_key_bytes)
{
    memset(encapsulation_key, 0x11, encapsulation_key_bytes);
    memset(ciphertext, 0x22, sizeof ciphertext);
    make_secret(decapsulation_key, secret_polynomials);
    memset(decapsulation_key + secret_polynomials, 0x11, encapsulation_key_bytes + 32);
    make_secret(decapsulation_key + secret_polynomials + encapsulation_key_bytes + 32, 32);
}

static int run_ml_kem(void)
{
    int results = 0;

    make_ml_kem_keys(768, TATU_ML_KEM_512_ENCAPSULATION_KEY_BYTES);
    results |= tatu_ml_kem_512_encapsulate(key, ciphertext, encapsulation_key, secret_seed, NULL);
    memset(ciphertext, 0x22, sizeof ciphertext);
    tatu_ml_kem_512_decapsulate(key, ciphertext, decapsulation_key);
    make_ml_kem_keys(1152, TATU_ML_KEM_768_ENCAPSULATION_KEY_BYTES);
    results |= tatu_ml_kem_768_encapsulate(key, ciphertext, encapsulation_key, secret_seed, NULL);
    memset(ciphertext, 0x22, sizeof ciphertext);
    tatu_ml_kem_768_decapsulate(key, ciphertext, decapsulation_key);
#if defined(TATU_TEST_DECLASSIFY)
    results |= tatu_ml_kem_512_generate(encapsulation_key, decapsulation_key, secret_seed, NULL);
    results |= tatu_ml_kem_512_check_decapsulation_key(decapsulation_key);
    tatu_ml_kem_512_decapsulate(key, ciphertext, decapsulation_key);
    results |= tatu_ml_kem_768_generate(encapsulation_key, decapsulation_key, secret_seed, NULL);
    results |= tatu_ml_kem_768_check_decapsulation_key(decapsulation_key);
#endif
    return results;
}

/* What signing does to polynomials that are secret, each once: this has the same trace for all keys. */
static int run_ml_dsa_polynomials(void)
{
    static int32_t first[256], second[256];
    static uint8_t encoded[576];

    make_secret(encoded, sizeof encoded);
    for (unsigned int i = 0; i < 96; i++) {
        encoded[i] &= 0x12; /* every number is 0, 2 or 4 at most */
    }
    packet[0] = tatu_internal_ml_dsa_is_s(encoded, 96);
    tatu_internal_ml_dsa_decode_s(first, encoded);
    tatu_internal_ml_dsa_encode_s(encoded, first);
    tatu_internal_ml_dsa_decode_t0(first, encoded);
    tatu_internal_ml_dsa_encode_t0(encoded, first);
    tatu_internal_ml_dsa_decode_z(second, encoded);
    tatu_internal_ml_dsa_encode_z(encoded, second);
    tatu_internal_ml_dsa_ntt(first);
    tatu_internal_ml_dsa_ntt(second);
    tatu_internal_ml_dsa_multiply(first, first, second);
    tatu_internal_ml_dsa_multiply_add(first, second, second);
    tatu_internal_ml_dsa_inverse_ntt(first);
    packet[1] = tatu_internal_ml_dsa_exceeds(first, 1000);
    for (unsigned int i = 0; i < 256; i++) {
        output[i] = tatu_internal_ml_dsa_high_bits(tatu_internal_ml_dsa_canonical(first[i]));
    }
    tatu_internal_ml_dsa_encode_w1(encoded, output);
    return 0;
}

/* How often signing begins anew, and what SampleInBall throws away, is public and differs from key to key: only who is
 * told so can follow it. */
#if defined(TATU_TEST_DECLASSIFY)
static int run_ml_dsa(void)
{
    static uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES], private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES];
    static uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES];
    int results = 0;

    results |= tatu_ml_dsa_44_generate(public_key, private_key, secret_seed, NULL);
    make_secret(message, sizeof message);
    results |= tatu_ml_dsa_44_sign(signature, message, sizeof message, NULL, 0, private_key, secret_seed, NULL);
    results |= tatu_ml_dsa_44_sign_deterministic(signature, message, 100, NULL, 0, private_key);
    return results;
}
#endif

static int run_comparison(void)
{
    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    packet[0] = (uint8_t)tatu_equal(key, message, sizeof key); /* the result is secret too until it is used */
    return 0;
}

static int run_sealing(void)
{
    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    return tatu_seal(key, sealed, message, 40, message + 60, 7, public_iv, NULL);
}

/* Each gives 0 if all is well. */
static const struct {
    const char *name;
    int (*run)(void);
} secret_operations[] = {
    {"AES-128", run_tatu_aes128},
    {"AES-192", run_tatu_aes192},
    {"AES-256", run_tatu_aes256},
    {"AES with tables in RAM", run_tables_in_ram},
    {"Speck-128 with 128 bits", run_tatu_speck128_128},
    {"Speck-128 with 192 bits", run_tatu_speck128_192},
    {"Speck-128 with 256 bits", run_tatu_speck128_256},
    {"Speck-64", run_tatu_speck64_128},
    {"RC6", run_rc6},
    {"hashes and their keyed forms", run_hashes},
    {"key exchange", run_key_exchange},
    {"signing", run_signing},
    {"P-256", run_p256},
    {"secp256k1", run_secp256k1},
    {"ML-KEM", run_ml_kem},
    {"polynomials of ML-DSA", run_ml_dsa_polynomials},
#if defined(TATU_TEST_DECLASSIFY)
    {"ML-DSA", run_ml_dsa},
#endif
    {"modes and the random generator", run_modes},
    {"authentication", run_authentication},
    {"comparison", run_comparison},
    {"sealing", run_sealing},
};

#define SECRET_OPERATIONS (sizeof secret_operations / sizeof *secret_operations)
