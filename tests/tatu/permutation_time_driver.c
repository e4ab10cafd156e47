/* Calls what is to take the same way whatever its secrets, MESSAGES times each, with new random keys and messages; and one function with a
 * branch that depends on a bit of the key, which must be noticed. */
#include <stdlib.h>

#include <tatu/ascon.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/rc6.h>
#include <tatu/speck.h>

#define MESSAGES 64
#define LENGTH 365 /* five blocks of ChaCha20 at once, and less than one more */
#define HEADER 21

#define ALONE __attribute__((noinline, noclone))

struct buffers {
    uint8_t key[32], nonce[16], header[HEADER], message[LENGTH], output[LENGTH], back[LENGTH], tag[16];
};

/* The same members at other addresses: all of them odd. */
static union {
    uint64_t words;
    struct buffers buffers;
} aligned;
static union {
    uint64_t words;
    struct {
        uint8_t first;
        struct buffers buffers;
    } shifted;
} unaligned;

static uint32_t state = 2463534242u;

static void fill(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        state ^= state << 13; /* Marsaglia's xorshift */
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (uint8_t)(state >> 11);
    }
}

static void check(int result)
{
    if (result != TATU_OK) {
        abort();
    }
}

#define FUNCTIONS(placed, b)                                                                                           \
    void ascon_encrypt_##placed(void);                                                                                 \
    void ascon_decrypt_##placed(void);                                                                                 \
    void ascon_hash_##placed(void);                                                                                    \
    void chacha20_poly1305_encrypt_##placed(void);                                                                     \
    void chacha20_poly1305_decrypt_##placed(void);                                                                     \
    void speck_##placed(void);                                                                                         \
    void rc6_##placed(void);                                                                                           \
    void planted_##placed(void);                                                                                       \
    ALONE void planted_##placed(void)                                                                                  \
    {                                                                                                                  \
        if ((b)->key[0] & 1) {                                                                                         \
            tatu_ascon_hash256((b)->output, (b)->message, 8);                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    ALONE void ascon_encrypt_##placed(void)                                                                            \
    {                                                                                                                  \
        check(tatu_ascon_aead128_encrypt((b)->key, (b)->output, (b)->message, LENGTH, (b)->header, HEADER, (b)->nonce, \
                                         (b)->tag, 16));                                                               \
    }                                                                                                                  \
    ALONE void ascon_decrypt_##placed(void)                                                                            \
    {                                                                                                                  \
        check(tatu_ascon_aead128_decrypt((b)->key, (b)->back, (b)->output, LENGTH, (b)->header, HEADER, (b)->nonce,    \
                                         (b)->tag, 16));                                                               \
    }                                                                                                                  \
    ALONE void ascon_hash_##placed(void)                                                                               \
    {                                                                                                                  \
        tatu_ascon_hash256((b)->output, (b)->message, LENGTH);                                                         \
    }                                                                                                                  \
    ALONE void chacha20_poly1305_encrypt_##placed(void)                                                                \
    {                                                                                                                  \
        check(tatu_chacha20_poly1305_encrypt((b)->key, (b)->output, (b)->message, LENGTH, (b)->header, HEADER,         \
                                             (b)->nonce, (b)->tag));                                                   \
    }                                                                                                                  \
    ALONE void chacha20_poly1305_decrypt_##placed(void)                                                                \
    {                                                                                                                  \
        check(tatu_chacha20_poly1305_decrypt((b)->key, (b)->back, (b)->output, LENGTH, (b)->header, HEADER,            \
                                             (b)->nonce, (b)->tag));                                                   \
    }                                                                                                                  \
    ALONE void speck_##placed(void)                                                                                    \
    {                                                                                                                  \
        struct tatu_speck128_128 key;                                                                                  \
        struct tatu_speck64_128 key64;                                                                                 \
        tatu_speck128_128_set_key(&key, (b)->key);                                                                     \
        tatu_speck128_128_encrypt(&key, (b)->output, (b)->message);                                                    \
        tatu_speck128_128_decrypt(&key, (b)->back, (b)->output);                                                       \
        tatu_speck64_128_set_key(&key64, (b)->key);                                                                    \
        tatu_speck64_128_encrypt(&key64, (b)->output, (b)->message);                                                   \
        tatu_speck64_128_decrypt(&key64, (b)->back, (b)->output);                                                      \
    }                                                                                                                  \
    ALONE void rc6_##placed(void)                                                                                      \
    {                                                                                                                  \
        struct tatu_rc6 key;                                                                                           \
        tatu_rc6_128_set_key(&key, (b)->key);                                                                          \
        tatu_rc6_encrypt(&key, (b)->output, (b)->message);                                                             \
        tatu_rc6_decrypt(&key, (b)->back, (b)->output);                                                                \
    }                                                                                                                  \
    static void all_##placed(void)                                                                                     \
    {                                                                                                                  \
        fill((b)->key, sizeof(b)->key);                                                                                \
        fill((b)->nonce, sizeof(b)->nonce);                                                                            \
        fill((b)->header, sizeof(b)->header);                                                                          \
        fill((b)->message, sizeof(b)->message);                                                                        \
        ascon_encrypt_##placed();                                                                                      \
        ascon_decrypt_##placed();                                                                                      \
        ascon_hash_##placed();                                                                                         \
        chacha20_poly1305_encrypt_##placed();                                                                          \
        chacha20_poly1305_decrypt_##placed();                                                                          \
        speck_##placed();                                                                                              \
        rc6_##placed();                                                                                                \
        planted_##placed();                                                                                            \
    }

FUNCTIONS(aligned, &aligned.buffers)
FUNCTIONS(unaligned, &unaligned.shifted.buffers)

int main(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        all_aligned();
        all_unaligned();
    }
    return 0;
}
