/* Runs Tatu's SHA-2, SHA-3 and SHAKE for the tests. Commands: see `commands` at the end. */
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

#include "driver_buffers.h"

#define LONGEST_LINE 40000
#define MAX_WORDS 6

#define MONTE_CARLO_OUTPUTS 100
#define MONTE_CARLO_ITERATIONS 1000
#define LONGEST_DIGEST 64

/* ---- hashes ---- */

/* A hash in pieces of `chunk` bytes; exits if final does not wipe, or if a hash that was ended, or never begun, gives
 * anything but zeros. In one piece if `chunk` is 0, in place if `digest`
 * is `input`. */
typedef void hash_function(uint8_t *digest, const uint8_t *input, size_t length, size_t chunk);

#define DEFINE_HASH(name, digest_bytes)                                                  \
    static void name(uint8_t *digest, const uint8_t *input, size_t length, size_t chunk) \
    {                                                                                    \
        struct tatu_##name hash;                                                         \
        uint8_t ended[digest_bytes];                                                     \
        if (chunk == 0) {                                                                \
            tatu_##name(digest, input, length);                                          \
            return;                                                                      \
        }                                                                                \
        memset(&hash, 0xa5, sizeof hash);                                                \
        tatu_##name##_init(&hash);                                                       \
        while (length > 0) {                                                             \
            size_t taken = length < chunk ? length : chunk;                              \
            tatu_##name##_update(&hash, input, taken);                                   \
            tatu_##name##_update(&hash, NULL, 0);                                        \
            input += taken;                                                              \
            length -= taken;                                                             \
        }                                                                                \
        tatu_##name##_final(&hash, digest);                                              \
        if (!is_zero(&hash, sizeof hash)) {                                              \
            exit(3);                                                                     \
        }                                                                                \
        memset(ended, 0xa5, sizeof ended);                                               \
        tatu_##name##_update(&hash, (const uint8_t *)"too late", 8);                     \
        tatu_##name##_final(&hash, ended);                                               \
        if (!is_zero(ended, sizeof ended) || !is_zero(&hash, sizeof hash)) {             \
            exit(4);                                                                     \
        }                                                                                \
    }

DEFINE_HASH(sha256, 32)
DEFINE_HASH(sha256_small, 32)
DEFINE_HASH(sha384, 48)
DEFINE_HASH(sha512, 64)
DEFINE_HASH(sha3_256, 32)
DEFINE_HASH(sha3_512, 64)

/* MESSAGE CHUNK */
static void run_hash(hash_function *hash, size_t digest_bytes, char **words)
{
    struct buffer input = from_hex(words[0]), digest = new_buffer(digest_bytes);
    hash(digest.bytes, input.bytes, input.length, strtoul(words[1], NULL, 10));
    print_bytes(digest.bytes, digest.length);
    free(input.block);
    free(digest.block);
}

/* MESSAGE: the digest written over the message's beginning, twice */
static void run_hash_in_place(hash_function *hash, size_t digest_bytes, char **words)
{
    struct buffer buffer = from_hex(words[0]);
    hash(buffer.bytes, buffer.bytes, buffer.length, 0);
    hash(buffer.bytes, buffer.bytes, buffer.length, 1);
    print_bytes(buffer.bytes, digest_bytes);
    free(buffer.block);
}

/* SEED: NIST's Monte-Carlo test (SHAVS and SHA3VS, section 6.4 and 6.2.3): each message is the last `remembered`
 * digests one after the other */
static void run_monte_carlo(hash_function *hash, size_t digest_bytes, size_t remembered, char **words)
{
    struct buffer seed = from_hex(words[0]);
    uint8_t message[3 * LONGEST_DIGEST], digest[LONGEST_DIGEST];
    memcpy(digest, seed.bytes, digest_bytes);
    for (int output = 0; output < MONTE_CARLO_OUTPUTS; output++) {
        for (size_t i = 0; i < remembered; i++) {
            memcpy(message + i * digest_bytes, digest, digest_bytes);
        }
        for (int i = 0; i < MONTE_CARLO_ITERATIONS; i++) {
            hash(digest, message, remembered * digest_bytes, 0);
            memmove(message, message + digest_bytes, (remembered - 1) * digest_bytes);
            memcpy(message + (remembered - 1) * digest_bytes, digest, digest_bytes);
        }
        print_bytes(digest, digest_bytes);
        printf(" ");
    }
    free(seed.block);
}

/* ---- extendable-output functions ---- */

typedef void xof_function(uint8_t *output, size_t output_length, size_t output_chunk, const uint8_t *input,
                          size_t length, size_t chunk);

#define DEFINE_XOF(name)                                                                                              \
    static void name(uint8_t *output, size_t output_length, size_t output_chunk, const uint8_t *input, size_t length, \
                     size_t chunk)                                                                                    \
    {                                                                                                                 \
        struct tatu_##name xof;                                                                                       \
        if (chunk == 0) {                                                                                             \
            tatu_##name(output, output_length, input, length);                                                        \
            return;                                                                                                   \
        }                                                                                                             \
        memset(&xof, 0xa5, sizeof xof);                                                                               \
        tatu_##name##_init(&xof);                                                                                     \
        while (length > 0) {                                                                                          \
            size_t taken = length < chunk ? length : chunk;                                                           \
            tatu_##name##_update(&xof, input, taken);                                                                 \
            tatu_##name##_update(&xof, NULL, 0);                                                                      \
            input += taken;                                                                                           \
            length -= taken;                                                                                          \
        }                                                                                                             \
        while (output_length > 0) {                                                                                   \
            size_t given = output_length < output_chunk ? output_length : output_chunk;                               \
            tatu_##name##_squeeze(&xof, output, given);                                                               \
            tatu_##name##_squeeze(&xof, NULL, 0);                                                                     \
            output += given;                                                                                          \
            output_length -= given;                                                                                   \
        }                                                                                                             \
    }

DEFINE_XOF(shake128)
DEFINE_XOF(shake256)

/* 8 bytes of output, an update that comes too late, 8 bytes twice, and 8 bytes after a new init. */
#define DEFINE_XOF_MISUSE(name)                                     \
    static void name##_misuse(uint8_t output[32])                   \
    {                                                               \
        struct tatu_##name xof;                                     \
        memset(output, 0xa5, 32);                                   \
        tatu_##name##_init(&xof);                                   \
        tatu_##name##_squeeze(&xof, output, 8);                     \
        tatu_##name##_update(&xof, (const uint8_t *)"too late", 8); \
        tatu_##name##_squeeze(&xof, output + 8, 8);                 \
        tatu_##name##_squeeze(&xof, output + 16, 8);                \
        tatu_##name##_init(&xof);                                   \
        tatu_##name##_squeeze(&xof, output + 24, 8);                \
    }

DEFINE_XOF_MISUSE(shake128)
DEFINE_XOF_MISUSE(shake256)

/* MESSAGE CHUNK OUTPUT-LENGTH OUTPUT-CHUNK */
static void run_xof(xof_function *xof, char **words)
{
    struct buffer input = from_hex(words[0]), output = new_buffer(strtoul(words[2], NULL, 10));
    xof(output.bytes, output.length, strtoul(words[3], NULL, 10), input.bytes, input.length,
        strtoul(words[1], NULL, 10));
    print_bytes(output.bytes, output.length);
    free(input.block);
    free(output.block);
}

/* SEED SHORTEST LONGEST: NIST's Monte-Carlo test (SHA3VS, section 6.3.3), output lengths in bytes */
static void run_xof_monte_carlo(xof_function *xof, char **words)
{
    struct buffer seed = from_hex(words[0]);
    size_t shortest = strtoul(words[1], NULL, 10), longest = strtoul(words[2], NULL, 10), length = longest;
    uint8_t output[256], message[16];
    memcpy(output, seed.bytes, sizeof message);
    for (int count = 0; count < MONTE_CARLO_OUTPUTS; count++) {
        size_t this_length = 0;
        for (int i = 0; i < MONTE_CARLO_ITERATIONS; i++) {
            memcpy(message, output, sizeof message);
            memset(output, 0, sizeof output);
            this_length = length;
            xof(output, length, 0, message, sizeof message, 0);
            length = shortest + (size_t)(output[length - 2] << 8 | output[length - 1]) % (longest - shortest + 1);
        }
        print_bytes(output, this_length);
        printf(" ");
    }
    free(seed.block);
}

/* ---- commands ---- */

static void run(char **words)
{
    const char *command = words[0];
    words++;
    if (strcmp(command, "sha256") == 0) {
        run_hash(sha256, TATU_SHA256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha256-small") == 0) {
        run_hash(sha256_small, TATU_SHA256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha256-small-in-place") == 0) {
        run_hash_in_place(sha256_small, TATU_SHA256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha256-small-monte-carlo") == 0) {
        run_monte_carlo(sha256_small, TATU_SHA256_DIGEST_BYTES, 3, words);
    } else if (strcmp(command, "sha256-in-place") == 0) {
        run_hash_in_place(sha256, TATU_SHA256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha256-monte-carlo") == 0) {
        run_monte_carlo(sha256, TATU_SHA256_DIGEST_BYTES, 3, words);
    } else if (strcmp(command, "sha384") == 0) {
        run_hash(sha384, TATU_SHA384_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha384-in-place") == 0) {
        run_hash_in_place(sha384, TATU_SHA384_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha384-monte-carlo") == 0) {
        run_monte_carlo(sha384, TATU_SHA384_DIGEST_BYTES, 3, words);
    } else if (strcmp(command, "sha512") == 0) {
        run_hash(sha512, TATU_SHA512_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha512-in-place") == 0) {
        run_hash_in_place(sha512, TATU_SHA512_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha512-monte-carlo") == 0) {
        run_monte_carlo(sha512, TATU_SHA512_DIGEST_BYTES, 3, words);
    } else if (strcmp(command, "sha3-256") == 0) {
        run_hash(sha3_256, TATU_SHA3_256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha3-256-in-place") == 0) {
        run_hash_in_place(sha3_256, TATU_SHA3_256_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha3-256-monte-carlo") == 0) {
        run_monte_carlo(sha3_256, TATU_SHA3_256_DIGEST_BYTES, 1, words);
    } else if (strcmp(command, "sha3-512") == 0) {
        run_hash(sha3_512, TATU_SHA3_512_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha3-512-in-place") == 0) {
        run_hash_in_place(sha3_512, TATU_SHA3_512_DIGEST_BYTES, words);
    } else if (strcmp(command, "sha3-512-monte-carlo") == 0) {
        run_monte_carlo(sha3_512, TATU_SHA3_512_DIGEST_BYTES, 1, words);
    } else if (strcmp(command, "shake128-misuse") == 0 || strcmp(command, "shake256-misuse") == 0) {
        uint8_t output[32];
        (command[5] == '1' ? shake128_misuse : shake256_misuse)(output);
        print_bytes(output, sizeof output);
    } else if (strcmp(command, "shake128") == 0) {
        run_xof(shake128, words);
    } else if (strcmp(command, "shake128-monte-carlo") == 0) {
        run_xof_monte_carlo(shake128, words);
    } else if (strcmp(command, "shake256") == 0) {
        run_xof(shake256, words);
    } else if (strcmp(command, "shake256-monte-carlo") == 0) {
        run_xof_monte_carlo(shake256, words);
    } else {
        exit(2);
    }
    printf("\n");
}

int main(void)
{
    static char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[MAX_WORDS] = {0};
        char *rest = line;
        for (int i = 0; i < MAX_WORDS && (words[i] = strtok(rest, " \n")) != NULL; i++) {
            rest = NULL;
        }
        run(words);
    }
    return 0;
}
