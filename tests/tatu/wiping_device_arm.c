/* As wiping_device.c, for Arm, on standard output. Operations of long messages besides: kernels of many blocks serve them.
 *
 * For each operation: its name and a zero; then for each run what the operation returned (one byte), whether it changed a context or an
 * output (one byte), and WINDOW bytes, the last of them right below the stack pointer. */
#include <stdio.h>
#include <string.h>

/* Eight blocks of AES and more at once, the batch of the modes (64 blocks), and a rest; no multiple of any block. */
#define LENGTH 1351

#include "wiping_operations.h"

#include <tatu/cbc.h>
#include <tatu/chacha20.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/gcm.h>
#include <tatu/ml_dsa.h>
#include <tatu/sha3.h>

#define WHOLE_BLOCKS (LENGTH / 16)

/* What is public, and the same in every run: a ciphertext may lie anywhere. */
static const uint8_t received[LENGTH] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static struct tatu_cmac_key cmac_key;
static struct tatu_gcm_key gcm_key;
static struct tatu_ctr ctr;
static struct tatu_drbg drbg;
static uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES], private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES];
static uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES];

static int secret_entropy(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = message[i];
    }
    return TATU_OK;
}

static int public_entropy(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = 0x11;
    }
    return TATU_OK;
}

#define MANY_BLOCKS(X, cipher)                                         \
    X(cipher##_encrypt_blocks, cipher##_set_key(CONTEXT, key),         \
      cipher##_encrypt_blocks(CONTEXT, output, message, WHOLE_BLOCKS)) \
    X(cipher##_decrypt_blocks, cipher##_set_key(CONTEXT, key),         \
      cipher##_decrypt_blocks(CONTEXT, output, message, WHOLE_BLOCKS))

#define START_CTR                                                                       \
    tatu_aes128_set_key(CONTEXT, key);                                                  \
    result = tatu_ctr_start(&ctr, tatu_aes128_encrypter(CONTEXT), public_entropy, NULL)
#define START_CMAC                                               \
    tatu_aes128_set_key(CONTEXT, key);                           \
    tatu_cmac_set_key(&cmac_key, tatu_aes128_encrypter(CONTEXT))
#define START_GCM                                                       \
    tatu_aes128_set_key(CONTEXT, key);                                  \
    result = tatu_gcm_set_key(&gcm_key, tatu_aes128_encrypter(CONTEXT))
#define GENERATE_ML_DSA result = tatu_ml_dsa_44_generate(public_key, private_key, secret_bytes, NULL)
#define START_DRBG result = tatu_drbg_start(&drbg, secret_entropy, NULL)

#define OPERATIONS(X)                                                                                                 \
    COMMON_OPERATIONS(X)                                                                                              \
    MANY_BLOCKS(X, tatu_aes128)                                                                                       \
    MANY_BLOCKS(X, tatu_aes256)                                                                                       \
    MANY_BLOCKS(X, tatu_aes128_ram)                                                                                   \
    MANY_BLOCKS(X, tatu_speck128_128)                                                                                 \
    BLOCK_CIPHER(X, tatu_speck64_128)                                                                                 \
    X(tatu_cbc_encrypt, tatu_aes128_set_key(CONTEXT, key),                                                            \
      result =                                                                                                        \
          tatu_cbc_encrypt(tatu_aes128_encrypter(CONTEXT), output, message, 16 * WHOLE_BLOCKS, public_entropy, NULL)) \
    X(tatu_cbc_decrypt, tatu_aes128_set_key(CONTEXT, key),                                                            \
      result = tatu_cbc_decrypt(tatu_aes128_decrypter(CONTEXT), output, received, 16 * WHOLE_BLOCKS - 16))            \
    X(tatu_ctr_encrypt, START_CTR, result = tatu_ctr_encrypt(&ctr, output, message, LENGTH))                          \
    X(tatu_ctr_decrypt, START_CTR, tatu_ctr_decrypt(tatu_aes128_encrypter(CONTEXT), output, received, LENGTH - 16))   \
    X(tatu_cmac_set_key, tatu_aes128_set_key(CONTEXT, key),                                                           \
      tatu_cmac_set_key(&cmac_key, tatu_aes128_encrypter(CONTEXT)))                                                   \
    X(tatu_cmac, START_CMAC, result = tatu_cmac(&cmac_key, tag, 16, message, LENGTH))                                 \
    X(tatu_gcm_set_key, tatu_aes128_set_key(CONTEXT, key),                                                            \
      result = tatu_gcm_set_key(&gcm_key, tatu_aes128_encrypter(CONTEXT)))                                            \
    X(tatu_gcm_encrypt, START_GCM,                                                                                    \
      result = tatu_gcm_encrypt(&gcm_key, output, message, LENGTH, header, sizeof header, nonce, tag, 16))            \
    X(tatu_gcm_decrypt, START_GCM;                                                                                    \
      (void)!tatu_gcm_encrypt(&gcm_key, output, message, LENGTH, NULL, 0, nonce, tag, 16),                            \
      result = tatu_gcm_decrypt(&gcm_key, output, output, LENGTH, NULL, 0, nonce, tag, 16))                           \
    X(tatu_drbg_start, , START_DRBG)                                                                                  \
    X(tatu_drbg_generate, START_DRBG, result = tatu_drbg_generate(&drbg, output, LENGTH))                             \
    X(tatu_ml_dsa_44_generate, , GENERATE_ML_DSA; output[0] ^= (uint8_t)(public_key[0] | 1))                          \
    X(tatu_ml_dsa_44_sign, GENERATE_ML_DSA,                                                                           \
      result = tatu_ml_dsa_44_sign(signature, message, 100, NULL, 0, private_key, secret_bytes, NULL);                \
      output[0] ^= (uint8_t)(signature[0] | 1))                                                                       \
    X(tatu_ml_dsa_44_sign_deterministic, GENERATE_ML_DSA,                                                             \
      result = tatu_ml_dsa_44_sign_deterministic(signature, message, 100, NULL, 0, private_key);                      \
      output[0] ^= (uint8_t)(signature[0] | 1))                                                                       \
    X(tatu_chacha20_crypt, , result = tatu_chacha20_crypt(key, output, message, LENGTH, 1, nonce))                    \
    X(tatu_ascon_hash256, , tatu_ascon_hash256(output, message, LENGTH))                                              \
    X(tatu_ascon_xof128, , tatu_ascon_xof128(output, 64, message, LENGTH))                                            \
    X(tatu_sha3_256, , tatu_sha3_256(output, message, LENGTH))                                                        \
    X(tatu_sha3_512, , tatu_sha3_512(output, message, LENGTH))                                                        \
    X(tatu_shake128, , tatu_shake128(output, 200, message, LENGTH))

#define DEFINE(name, before, observed)                          \
    static void before_##name(void)                             \
    {                                                           \
        before;                                                 \
    }                                                           \
    static __attribute__((noinline)) void observed_##name(void) \
    {                                                           \
        observed;                                               \
    }
OPERATIONS(DEFINE)

static const struct operation {
    const char *name;
    void (*before)(void);
    void (*observed)(void);
} operations[] = {
#define ROW(name, before, observed) {#name, before_##name, observed_##name},
    OPERATIONS(ROW)};

static volatile uint8_t seen[WINDOW];

/* Of the results before an operation: not in a register, for the same reason as `run`. */
static volatile uint32_t digest;

/* In line: its own frame would lie in the window. */
static inline __attribute__((always_inline)) volatile uint8_t *stack_pointer(void)
{
    volatile uint8_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

/* An operation may save a register that it need not, and with it what earlier code left there: not its own secret. */
static inline __attribute__((always_inline)) void clear_scratch_registers(void)
{
#if defined(__aarch64__)
    __asm__ volatile(
        "mov x0, #0\n mov x1, #0\n mov x2, #0\n mov x3, #0\n mov x4, #0\n mov x5, #0\n mov x6, #0\n mov x7, #0\n mov x9, #0\n"
        "mov x10, #0\n mov x11, #0\n mov x12, #0\n mov x13, #0\n mov x14, #0\n mov x15, #0\n mov x16, #0\n mov x17, #0\n" ::
            : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
              "x17");
    __asm__ volatile(
        "movi v0.16b, #0\n movi v1.16b, #0\n movi v2.16b, #0\n movi v3.16b, #0\n movi v4.16b, #0\n movi v5.16b, #0\n"
        "movi v6.16b, #0\n movi v7.16b, #0\n movi v16.16b, #0\n movi v17.16b, #0\n movi v18.16b, #0\n movi v19.16b, #0\n"
        "movi v20.16b, #0\n movi v21.16b, #0\n movi v22.16b, #0\n movi v23.16b, #0\n movi v24.16b, #0\n movi v25.16b, #0\n"
        "movi v26.16b, #0\n movi v27.16b, #0\n movi v28.16b, #0\n movi v29.16b, #0\n movi v30.16b, #0\n movi v31.16b, #0\n" ::
            : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
              "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#else
    __asm__ volatile("movs r0, #0\n movs r1, #0\n movs r2, #0\n movs r3, #0\n mov r12, r0\n" ::
                         : "r0", "r1", "r2", "r3", "r12", "cc");
#if defined(__ARM_NEON)
    __asm__ volatile(
        "vmov.i8 q0, #0\n vmov.i8 q1, #0\n vmov.i8 q2, #0\n vmov.i8 q3, #0\n vmov.i8 q8, #0\n vmov.i8 q9, #0\n"
        "vmov.i8 q10, #0\n vmov.i8 q11, #0\n vmov.i8 q12, #0\n vmov.i8 q13, #0\n vmov.i8 q14, #0\n vmov.i8 q15, #0\n" ::
            : "q0", "q1", "q2", "q3", "q8", "q9", "q10", "q11", "q12", "q13", "q14", "q15");
#endif
#endif
}

/* Of all that operations write (FNV-1a). */
static __attribute__((noinline)) uint32_t digest_of_results(void)
{
    static const struct {
        const void *memory;
        size_t length;
    } results[] = {{&context, sizeof context},   {output, sizeof output}, {tag, sizeof tag},         {&ctr, sizeof ctr},
                   {&cmac_key, sizeof cmac_key}, {&drbg, sizeof drbg},    {&gcm_key, sizeof gcm_key}};
    uint32_t sum = UINT32_C(2166136261);

    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        for (size_t j = 0; j < results[i].length; j++) {
            sum = (sum ^ ((const uint8_t *)results[i].memory)[j]) * 16777619;
        }
    }
    return sum;
}

static __attribute__((noinline)) void observe(void (*observed)(void))
{
    volatile uint8_t *window = stack_pointer() - WINDOW;
    for (size_t i = 0; i < WINDOW; i++) {
        window[i] = PAINT;
    }
    result = TATU_OK;
    clear_scratch_registers();
    observed();
    for (size_t i = 0; i < WINDOW; i++) {
        seen[i] = window[i];
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        fwrite(operations[i].name, 1, strlen(operations[i].name) + 1, stdout);
        for (run = 0; run < RUNS; run++) {
            make_secrets();
            operations[i].before();
            digest = digest_of_results();
            observe(operations[i].observed);
            putchar((uint8_t)result);
            putchar(digest_of_results() != digest);
            fwrite((const uint8_t *)seen, 1, WINDOW, stdout);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
