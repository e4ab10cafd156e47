/* Runs on the device: paints the free stack, runs one operation of Tatu, and sends what it left below the stack
 * pointer; each operation RUNS times, with other keys and messages each time. A byte that follows them is a secret left
 * behind, for whatever runs next and reads its own uninitialised variables.
 *
 * For each operation over the UART: its name and a zero; then for each run what the operation returned (one byte) and
 * WINDOW bytes, the last of them at the stack pointer. */
#include <avr/io.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/block_cipher.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/rc6.h>
#include <tatu/sha256.h>
#include <tatu/speck.h>

#define HALT 0x12

/* Longer than a block of every algorithm, and no multiple of one: last blocks that are not whole have buffers. */
#define LENGTH 71

static uint8_t key[32], message[LENGTH];
static uint8_t output[LENGTH], tag[16];
static const uint8_t nonce[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, header[7] = {9, 8, 7, 6, 5, 4, 3};

static union {
    struct tatu_aes256 aes;
    struct tatu_rc6 rc6;
    struct tatu_speck128_128 speck;
} context;

/* In memory and volatile: in a register that a callee saves it would itself be a byte that differs between runs. */
static volatile uint8_t run;

static volatile int result;

/* What the test must find: the compiler must not drop the copy, so it is volatile; nothing erases it. */
static __attribute__((noinline)) void copy_the_key_and_leave_it(void)
{
    volatile uint8_t copy[sizeof key];
    for (uint8_t i = 0; i < sizeof key; i++) {
        copy[i] = key[i];
    }
    (void)copy[0];
}

#define CONTEXT ((void *)&context)

/* An operation: its name, the statement that comes before the paint, and the one whose stack is looked at. */
#define BLOCK_CIPHER(X, cipher)                                                                                        \
    X(cipher##_set_key, , cipher##_set_key(CONTEXT, key))                                                              \
    X(cipher##_encrypt, cipher##_set_key(CONTEXT, key), cipher##_encrypt(CONTEXT, output, message))                    \
    X(cipher##_decrypt, cipher##_set_key(CONTEXT, key), cipher##_decrypt(CONTEXT, output, message))

#define SMALL_BLOCK_CIPHER(X, cipher)                                                                                  \
    X(cipher##_set_key, , cipher##_set_key(CONTEXT, key))                                                              \
    X(cipher##_encrypt, cipher##_set_key(CONTEXT, key), cipher##_encrypt(CONTEXT, output, message))                    \
    X(cipher##_set_decrypt_key, , cipher##_set_decrypt_key(CONTEXT, key))                                              \
    X(cipher##_decrypt, cipher##_set_decrypt_key(CONTEXT, key), cipher##_decrypt(CONTEXT, output, message))

#define AEAD(X, aead)                                                                                                  \
    X(aead##_encrypt, aead##_START, aead##_ENCRYPT)                                                                    \
    X(aead##_decrypt, aead##_START; aead##_ENCRYPT, aead##_DECRYPT)                                                    \
    X(aead##_decrypt_forged, aead##_START; aead##_ENCRYPT; tag[5] ^= 1, aead##_DECRYPT)

#define ascon_aead128_START
#define ascon_aead128_ENCRYPT                                                                                          \
    result = tatu_ascon_aead128_encrypt(key, output, message, LENGTH, header, sizeof header, nonce, tag, 16)
#define ascon_aead128_DECRYPT                                                                                          \
    result = tatu_ascon_aead128_decrypt(key, output, output, LENGTH, header, sizeof header, nonce, tag, 16)

#define aes128_ccm_START tatu_aes128_set_key(CONTEXT, key)
#define aes128_ccm_ENCRYPT                                                                                             \
    result = tatu_aes128_ccm_encrypt(CONTEXT, output, message, LENGTH, header, sizeof header, nonce, 13, tag, 16)
#define aes128_ccm_DECRYPT                                                                                             \
    result = tatu_aes128_ccm_decrypt(CONTEXT, output, output, LENGTH, header, sizeof header, nonce, 13, tag, 16)

#define chacha20_poly1305_START
#define chacha20_poly1305_ENCRYPT                                                                                      \
    result = tatu_chacha20_poly1305_encrypt(key, output, message, LENGTH, header, sizeof header, nonce, tag)
#define chacha20_poly1305_DECRYPT                                                                                      \
    result = tatu_chacha20_poly1305_decrypt(key, output, output, LENGTH, header, sizeof header, nonce, tag)

#define OPERATIONS(X)                                                                                                  \
    X(control, , copy_the_key_and_leave_it())                                                                          \
    BLOCK_CIPHER(X, tatu_aes128)                                                                                       \
    BLOCK_CIPHER(X, tatu_aes128_ram)                                                                                   \
    SMALL_BLOCK_CIPHER(X, tatu_aes128_small)                                                                           \
    BLOCK_CIPHER(X, tatu_aes128_tiny)                                                                                  \
    BLOCK_CIPHER(X, tatu_aes256)                                                                                       \
    BLOCK_CIPHER(X, tatu_aes256_ram)                                                                                   \
    SMALL_BLOCK_CIPHER(X, tatu_aes256_small)                                                                           \
    BLOCK_CIPHER(X, tatu_aes256_tiny)                                                                                  \
    BLOCK_CIPHER(X, tatu_speck128_128)                                                                                 \
    SMALL_BLOCK_CIPHER(X, tatu_speck128_128_small)                                                                     \
    BLOCK_CIPHER(X, tatu_speck128_128_tiny)                                                                            \
    X(tatu_rc6_128_set_key, , tatu_rc6_128_set_key(CONTEXT, key))                                                      \
    X(tatu_rc6_encrypt, tatu_rc6_128_set_key(CONTEXT, key), tatu_rc6_encrypt(CONTEXT, output, message))                \
    X(tatu_rc6_decrypt, tatu_rc6_128_set_key(CONTEXT, key), tatu_rc6_decrypt(CONTEXT, output, message))                \
    AEAD(X, ascon_aead128)                                                                                             \
    AEAD(X, aes128_ccm)                                                                                                \
    AEAD(X, chacha20_poly1305)                                                                                         \
    X(tatu_sha256, , tatu_sha256(output, message, LENGTH))

#define DEFINE(name, before, observed)                                                                                 \
    static void before_##name(void) { before; }                                                                        \
    static void observed_##name(void) { observed; }
OPERATIONS(DEFINE)

static const struct operation {
    const char *name;
    void (*before)(void);
    void (*observed)(void);
} operations[] = {
#define ROW(name, before, observed) {#name, before_##name, observed_##name},
    OPERATIONS(ROW)
};

/* In line: a call would overwrite the stack that is being sent. */
static inline __attribute__((always_inline)) void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

static __attribute__((noinline)) void make_secrets(void)
{
    uint32_t state = 12345 + run * 0x9e3779b9;
    for (uint8_t i = 0; i < sizeof key + sizeof message; i++) {
        state = 1664525 * state + 1013904223;
        *(i < sizeof key ? &key[i] : &message[i - sizeof key]) = (uint8_t)(state >> 24);
    }
}

/* An operation may save a register that it need not, and with it what earlier code left there: not its own secret. */
static inline __attribute__((always_inline)) void clear_scratch_registers(void)
{
    __asm__ volatile("clr r0\n clr r18\n clr r19\n clr r20\n clr r21\n clr r22\n clr r23\n clr r24\n clr r25\n"
                     "clr r26\n clr r27\n"
                     ::: "r0", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27");
}

static __attribute__((noinline)) void observe(void (*observed)(void))
{
    volatile uint8_t *const top = (volatile uint8_t *)SP;
    for (uint16_t i = 0; i < WINDOW; i++) {
        top[-(int16_t)i] = PAINT;
    }
    result = TATU_OK;
    clear_scratch_registers();
    observed();
    send((uint8_t)result);
    for (uint16_t i = WINDOW; i > 0; i--) {
        send(top[1 - (int16_t)i]);
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint8_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *name = operations[i].name;
        do {
            send((uint8_t)*name);
        } while (*name++ != 0);
        for (run = 0; run < RUNS; run++) {
            make_secrets();
            operations[i].before();
            observe(operations[i].observed);
        }
    }
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
