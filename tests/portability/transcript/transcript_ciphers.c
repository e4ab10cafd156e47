/* Block ciphers, and the stream cipher ChaCha20. */
#include <tatu/aes.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/rc6.h>
#include <tatu/speck.h>

#include "transcript.h"

#define KEYS 16

/* The expanded key of plain AES is laid out as the machine's fastest code wants it. */
static void leave_out(const void *bytes, size_t length)
{
    (void)bytes;
    (void)length;
}

#define RUN_CIPHER(name, context, decrypt_context, set_decrypt_key, key_bytes, block_bytes, fold_key) \
    static void run_##name##_##key_bytes(void)                                                        \
    {                                                                                                 \
        struct context encryption;                                                                    \
        struct decrypt_context decryption;                                                            \
        uint8_t key[key_bytes], input[block_bytes], output[block_bytes];                              \
        begin_line(#name);                                                                            \
        for (uint8_t i = 0; i < KEYS; i++) {                                                          \
            fill(key, sizeof key);                                                                    \
            fill(input, sizeof input);                                                                \
            name##_set_key(&encryption, key);                                                         \
            fold_key(&encryption, sizeof encryption);                                                 \
            name##_encrypt(&encryption, output, input);                                               \
            fold(output, sizeof output);                                                              \
            set_decrypt_key(&decryption, key);                                                        \
            fold_key(&decryption, sizeof decryption);                                                 \
            name##_decrypt(&decryption, output, input);                                               \
            fold(output, sizeof output);                                                              \
            name##_encrypt(&encryption, input, input);                                                \
            fold(input, sizeof input);                                                                \
            name##_decrypt(&decryption, output, output);                                              \
            fold(output, sizeof output);                                                              \
        }                                                                                             \
        end_line();                                                                                   \
    }
#define RUN_VARIANTS(name, key_bytes, block_bytes, fold_key)                                                           \
    RUN_CIPHER(name, name, name, name##_set_key, key_bytes, block_bytes, fold_key)                                     \
    RUN_CIPHER(name##_small, name##_small, name##_small_decrypt, name##_small_set_decrypt_key, key_bytes, block_bytes, \
               fold)                                                                                                   \
    RUN_CIPHER(name##_tiny, name##_tiny, name##_tiny, name##_tiny_set_key, key_bytes, block_bytes, fold)
#define RUN_RAM(name, key_bytes) RUN_CIPHER(name##_ram, name, name, name##_ram_set_key, key_bytes, 16, leave_out)

RUN_VARIANTS(tatu_aes128, 16, 16, leave_out)
RUN_VARIANTS(tatu_aes192, 24, 16, leave_out)
RUN_VARIANTS(tatu_aes256, 32, 16, leave_out)
RUN_RAM(tatu_aes128, 16)
RUN_RAM(tatu_aes192, 24)
RUN_RAM(tatu_aes256, 32)
RUN_VARIANTS(tatu_speck128_128, 16, 16, fold)
RUN_VARIANTS(tatu_speck128_192, 24, 16, fold)
RUN_VARIANTS(tatu_speck128_256, 32, 16, fold)
RUN_VARIANTS(tatu_speck64_128, 16, 8, fold)

/* RC6 has one context for all key sizes, whose words are the machine's own. */
#define RUN_RC6(name, set_key, key_bytes)              \
    static void run_##set_key(void)                    \
    {                                                  \
        struct tatu_rc6 context;                       \
        uint8_t key[key_bytes], input[16], output[16]; \
        begin_line(#set_key);                          \
        for (uint8_t i = 0; i < KEYS; i++) {           \
            fill(key, sizeof key);                     \
            fill(input, sizeof input);                 \
            set_key(&context, key);                    \
            name##_encrypt(&context, output, input);   \
            fold(output, sizeof output);               \
            name##_decrypt(&context, output, input);   \
            fold(output, sizeof output);               \
            name##_encrypt(&context, input, input);    \
            fold(input, sizeof input);                 \
            name##_decrypt(&context, output, output);  \
            fold(output, sizeof output);               \
        }                                              \
        end_line();                                    \
    }

RUN_RC6(tatu_rc6, tatu_rc6_128_set_key, 16)
RUN_RC6(tatu_rc6, tatu_rc6_192_set_key, 24)
RUN_RC6(tatu_rc6, tatu_rc6_256_set_key, 32)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_128_set_key, 16)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_192_set_key, 24)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_256_set_key, 32)

#define CALL_VARIANTS(name, key_bytes) \
    run_##name##_##key_bytes();        \
    run_##name##_small_##key_bytes();  \
    run_##name##_tiny_##key_bytes()

static void run_chacha20(void)
{
    uint8_t key[32], nonce[12], block[64], output[4 * (KEYS - 1)];

    begin_line("chacha20");
    for (uint8_t i = 0; i < KEYS; i++) {
        fill(key, sizeof key);
        fill(nonce, sizeof nonce);
        tatu_chacha20_block(key, block, UINT32_C(0xfffffff8) + i, nonce);
        fold(block, sizeof block);
        fold_result(tatu_chacha20_crypt(key, output, block, 4u * i, UINT32_C(0x7fffffff), nonce));
        fold(output, 4u * i);
    }
    end_line();
}

void transcript_ciphers(void)
{
    CALL_VARIANTS(tatu_aes128, 16);
    CALL_VARIANTS(tatu_aes192, 24);
    CALL_VARIANTS(tatu_aes256, 32);
    run_tatu_aes128_ram_16();
    run_tatu_aes192_ram_24();
    run_tatu_aes256_ram_32();
    CALL_VARIANTS(tatu_speck128_128, 16);
    CALL_VARIANTS(tatu_speck128_192, 24);
    CALL_VARIANTS(tatu_speck128_256, 32);
    CALL_VARIANTS(tatu_speck64_128, 16);
    run_tatu_rc6_128_set_key();
    run_tatu_rc6_192_set_key();
    run_tatu_rc6_256_set_key();
    run_tatu_rc6_tiny_128_set_key();
    run_tatu_rc6_tiny_192_set_key();
    run_tatu_rc6_tiny_256_set_key();
    run_chacha20();
}
