/* AES with random keys and blocks, for who looks whether the way through the code depends on them. */
#include <stdint.h>

#include <tatu/aes.h>

#define SECRETS 64
#define BLOCKS 13

#define DEFINE_MEASURED(k)                                                                    \
    void measured_##k(uint8_t *blocks, const uint8_t *key);                                   \
    __attribute__((noinline, noclone)) void measured_##k(uint8_t *blocks, const uint8_t *key) \
    {                                                                                         \
        struct tatu_aes##k context;                                                           \
                                                                                              \
        tatu_aes##k##_set_key(&context, key);                                                 \
        tatu_aes##k##_encrypt_blocks(&context, blocks, blocks, BLOCKS);                       \
        tatu_aes##k##_decrypt(&context, blocks, blocks);                                      \
        tatu_aes##k##_decrypt_blocks(&context, blocks, blocks, BLOCKS);                       \
        tatu_aes##k##_encrypt(&context, blocks, blocks);                                      \
        tatu_aes##k##_ram_set_key(&context, key);                                             \
        tatu_aes##k##_ram_encrypt_blocks(&context, blocks, blocks, BLOCKS);                   \
        tatu_aes##k##_ram_decrypt(&context, blocks, blocks);                                  \
        tatu_aes##k##_ram_decrypt_blocks(&context, blocks, blocks, BLOCKS);                   \
        tatu_aes##k##_ram_encrypt(&context, blocks, blocks);                                  \
    }

DEFINE_MEASURED(128)
DEFINE_MEASURED(192)
DEFINE_MEASURED(256)

static volatile uint8_t touched;

static __attribute__((noinline)) void touch(void)
{
    touched++;
}

/* What the test must find: a branch on a bit of the key. */
void measured_leaky(const uint8_t *key);
__attribute__((noinline, noclone)) void measured_leaky(const uint8_t *key)
{
    if ((key[7] & 1) != 0) {
        touch();
    }
}

int main(void)
{
    static uint8_t blocks[16 * BLOCKS];
    static uint8_t key[32];
    uint64_t state = 1;

    for (int i = 0; i < SECRETS; i++) {
        for (size_t j = 0; j < sizeof blocks + sizeof key; j++) {
            state = state * 6364136223846793005U +
                    1442695040888963407U; /* Knuth's generator, of which the high bits are taken */
            *(j < sizeof blocks ? blocks + j : key + (j - sizeof blocks)) = (uint8_t)(state >> 56);
        }
        measured_128(blocks, key);
        measured_192(blocks, key);
        measured_256(blocks, key);
        measured_leaky(key);
    }
    return 0;
}
