/* Hashes of random messages, for who looks whether the way through the code depends on them: each function MESSAGES times, with the message at an
 * address that words can be read from and at one that they cannot. */
#include <stddef.h>
#include <stdint.h>

#include <tatu/sha256.h>
#include <tatu/sha3.h>

#define MESSAGES 64
#define MESSAGE_BYTES 150

#define DEFINE_CALLS(name)                                                                   \
    void name##_aligned(uint8_t *digest, const uint8_t *message);                            \
    void name##_unaligned(uint8_t *digest, const uint8_t *message);                          \
    __attribute__((noinline)) void name##_aligned(uint8_t *digest, const uint8_t *message)   \
    {                                                                                        \
        tatu_##name(digest, message, MESSAGE_BYTES);                                         \
    }                                                                                        \
    __attribute__((noinline)) void name##_unaligned(uint8_t *digest, const uint8_t *message) \
    {                                                                                        \
        tatu_##name(digest, message + 1, MESSAGE_BYTES);                                     \
    }

/* What the test must find: a branch on a bit of the message. */
static volatile uint8_t touched;

static __attribute__((noinline)) void touch(void)
{
    touched++;
}

static void tatu_leaky(uint8_t *digest, const uint8_t *message, size_t length)
{
    (void)digest;
    if ((message[length / 2] & 1) != 0) {
        touch();
    }
}

DEFINE_CALLS(leaky)
DEFINE_CALLS(sha256)
DEFINE_CALLS(sha3_256)

int main(void)
{
    static union {
        uint64_t for_alignment;
        uint8_t bytes[MESSAGE_BYTES + 1];
    } message;
    static uint8_t digest[TATU_SHA256_DIGEST_BYTES];
    uint64_t state = 1;

    for (int i = 0; i < MESSAGES; i++) {
        for (size_t j = 0; j < sizeof message.bytes; j++) {
            state = state * 6364136223846793005U +
                    1442695040888963407U; /* Knuth's generator, of which the high bits are taken */
            message.bytes[j] = (uint8_t)(state >> 56);
        }
        sha256_aligned(digest, message.bytes);
        sha256_unaligned(digest, message.bytes);
        sha3_256_aligned(digest, message.bytes);
        sha3_256_unaligned(digest, message.bytes);
        leaky_aligned(digest, message.bytes);
    }
    return 0;
}
