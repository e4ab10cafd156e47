/* Runs Tatu's block ciphers, modes, generator and noise source for the tests: one command a line on standard input, one
 * answer a line on standard output. Bytes are hexadecimal; "-" is none. Every buffer is exactly as long as documented and
 * begins at an odd address, so that the sanitizers see any access beside it or that needs alignment.
 *
 *   ecb CIPHER encrypt|decrypt LAYOUT KEY INPUT              -> RESULT OUTPUT
 *   cbc CIPHER encrypt|decrypt LAYOUT KEY ENTROPY INPUT      -> RESULT OUTPUT
 *   ctr CIPHER encrypt LAYOUT KEY ENTROPY LEFT INPUT,INPUT,… -> RESULT OUTPUT RESULT OUTPUT …   (LEFT: blocks, or "-")
 *   ctr CIPHER decrypt LAYOUT KEY - - INPUT                  -> 0 OUTPUT
 *   drbg ENTROPY LENGTH,LENGTH,…                             -> RESULT OUTPUT RESULT OUTPUT …   (LENGTH "r": reseed)
 *   noise SAMPLES LENGTH,LENGTH,…                            -> RESULT RESULT OUTPUT …
 *   health SAMPLES                                           -> number of samples seen when a test failed, or 0
 *
 * LAYOUT: apart, same (output == input), behind (the message lies one block behind the other end). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/ecb.h>
#include <tatu/noise.h>
#include <tatu/speck.h>

#include "entropy/health.h"

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(2);
}

/* ---- bytes ---- */

struct bytes {
    uint8_t *at;
    size_t length;
};

static struct bytes new_bytes(size_t length)
{
    struct bytes bytes;
    uint8_t *const memory = malloc(length + 1);

    if (memory == NULL) {
        die("no memory");
    }
    memset(memory, 0xa5, length + 1);
    bytes.at = memory + 1;
    bytes.length = length;
    return bytes;
}

static void free_bytes(struct bytes bytes)
{
    free(bytes.at - 1);
}

static struct bytes parse(const char *text)
{
    const size_t digits = strcmp(text, "-") == 0 ? 0 : strlen(text);
    struct bytes bytes = new_bytes(digits / 2);

    for (size_t i = 0; i < digits / 2; i++) {
        unsigned byte;

        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            die("not hexadecimal");
        }
        bytes.at[i] = (uint8_t)byte;
    }
    return bytes;
}

static void print(int result, const uint8_t *at, size_t length)
{
    printf("%d ", result);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", at[i]);
    }
    printf("%s", length == 0 ? "-" : "");
}

/* ---- ciphers ---- */

struct cipher {
    const char *name;
    size_t key_bytes;
    struct tatu_block_encrypter (*encrypter)(void *context, const uint8_t *key);
    struct tatu_block_decrypter (*decrypter)(void *context, const uint8_t *key);
};

#define DEFINE(name, encrypt_context, decrypt_context, set_decrypt_key)                        \
    static struct tatu_block_encrypter name##_for_encryption(void *memory, const uint8_t *key) \
    {                                                                                          \
        struct encrypt_context *const context = memory;                                        \
        name##_set_key(context, key);                                                          \
        return name##_encrypter(context);                                                      \
    }                                                                                          \
    static struct tatu_block_decrypter name##_for_decryption(void *memory, const uint8_t *key) \
    {                                                                                          \
        struct decrypt_context *const context = memory;                                        \
        set_decrypt_key(context, key);                                                         \
        return name##_decrypter(context);                                                      \
    }
#define DEFINE_AES(k)                                                                                                  \
    DEFINE(tatu_aes##k, tatu_aes##k, tatu_aes##k, tatu_aes##k##_set_key)                                               \
    DEFINE(tatu_aes##k##_ram, tatu_aes##k, tatu_aes##k, tatu_aes##k##_ram_set_key)                                     \
    DEFINE(tatu_aes##k##_small, tatu_aes##k##_small, tatu_aes##k##_small_decrypt, tatu_aes##k##_small_set_decrypt_key) \
    DEFINE(tatu_aes##k##_tiny, tatu_aes##k##_tiny, tatu_aes##k##_tiny, tatu_aes##k##_tiny_set_key)
#define DEFINE_SPECK(k)                                                                                    \
    DEFINE(tatu_speck##k, tatu_speck##k, tatu_speck##k, tatu_speck##k##_set_key)                           \
    DEFINE(tatu_speck##k##_small, tatu_speck##k##_small, tatu_speck##k##_small_decrypt,                    \
           tatu_speck##k##_small_set_decrypt_key)                                                          \
    DEFINE(tatu_speck##k##_tiny, tatu_speck##k##_tiny, tatu_speck##k##_tiny, tatu_speck##k##_tiny_set_key)

DEFINE_AES(128)
DEFINE_AES(192)
DEFINE_AES(256)
DEFINE_SPECK(128_128)
DEFINE_SPECK(128_192)
DEFINE_SPECK(128_256)
DEFINE_SPECK(64_128)

#define ROW(text, name, bytes) {text, bytes, name##_for_encryption, name##_for_decryption}
#define AES_ROWS(k)                                                                                          \
    ROW("aes" #k "-plain", tatu_aes##k, k / 8), ROW("aes" #k "-ram", tatu_aes##k##_ram, k / 8),              \
        ROW("aes" #k "-small", tatu_aes##k##_small, k / 8), ROW("aes" #k "-tiny", tatu_aes##k##_tiny, k / 8)
#define SPECK_ROWS(k, bytes)                                                                                \
    ROW("speck" #k "-plain", tatu_speck##k, bytes), ROW("speck" #k "-small", tatu_speck##k##_small, bytes), \
        ROW("speck" #k "-tiny", tatu_speck##k##_tiny, bytes)

static const struct cipher ciphers[] = {AES_ROWS(128),           AES_ROWS(192),           AES_ROWS(256),
                                        SPECK_ROWS(128_128, 16), SPECK_ROWS(128_192, 24), SPECK_ROWS(128_256, 32),
                                        SPECK_ROWS(64_128, 16)};

/* Room for any context. Buffers of bytes begin at odd addresses here; a context is a structure, aligned by the compiler. */
union any_context {
    struct tatu_aes256 aes256;
    struct tatu_speck128_256 speck128_256;
};

static const struct cipher *find_cipher(const char *name)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].name, name) == 0) {
            return &ciphers[i];
        }
    }
    die("no such cipher");
    return NULL;
}

/* ---- sources of entropy and noise that return what the test says, and fail when it runs out ---- */

static int take(void *state, uint8_t *output, size_t length)
{
    struct bytes *const left = state;

    memset(output, 0x5a, length);
    if (length > left->length) {
        return -77;
    }
    memcpy(output, left->at, length);
    left->at += length;
    left->length -= length;
    return 0;
}

static int take_sample(void *state, uint8_t *sample)
{
    return take(state, sample, 1);
}

/* ---- commands ---- */

static const char *word(void)
{
    const char *const found = strtok(NULL, " \n");

    if (found == NULL) {
        die("the command is too short");
    }
    return found;
}

/* The buffers of a call: the message `input` and room for `output_bytes`, where one end has a block of its own in front. */
struct layout {
    struct bytes input;
    struct bytes output;
    uint8_t *memory;
};

static struct layout lay_out(const char *how, struct bytes input, size_t output_bytes)
{
    const size_t longer = input.length > output_bytes ? input.length : output_bytes;
    const size_t in_front = longer - (input.length < output_bytes ? input.length : output_bytes);
    struct layout layout = {input, {NULL, output_bytes}, NULL};
    struct bytes memory;

    if (strcmp(how, "apart") == 0) {
        layout.output = new_bytes(output_bytes);
        return layout;
    }
    memory = new_bytes(longer);
    layout.memory = memory.at - 1;
    layout.input.at = memory.at + (strcmp(how, "behind") == 0 && input.length < output_bytes ? in_front : 0);
    layout.output.at = memory.at + (strcmp(how, "behind") == 0 && input.length > output_bytes ? in_front : 0);
    memcpy(layout.input.at, input.at, input.length);
    free_bytes(input);
    return layout;
}

static void print_and_free(int result, struct layout layout)
{
    print(result, layout.output.at, layout.output.length);
    if (layout.memory == NULL) {
        free_bytes(layout.input);
        free_bytes(layout.output);
    } else {
        free(layout.memory);
    }
}

static void run_block_mode(const char *mode)
{
    const struct cipher *const cipher = find_cipher(word());
    const int is_encryption = strcmp(word(), "encrypt") == 0;
    const char *const how = word();
    const struct bytes key = parse(word());
    const struct bytes entropy = parse(strcmp(mode, "cbc") == 0 ? word() : "-");
    const struct bytes input = parse(word());
    union any_context context;
    struct bytes entropy_left = entropy;
    struct layout layout;
    int result;

    if (key.length != cipher->key_bytes) {
        die("wrong length of key");
    }
    if (is_encryption) {
        const struct tatu_block_encrypter encrypter = cipher->encrypter(&context, key.at);

        if (strcmp(mode, "cbc") == 0) {
            layout = lay_out(how, input, encrypter.block_bytes + input.length);
            result = tatu_cbc_encrypt(encrypter, layout.output.at, layout.input.at, input.length, take, &entropy_left);
        } else {
            layout = lay_out(how, input, input.length);
            result = tatu_ecb_leaky_encrypt(encrypter, layout.output.at, layout.input.at, input.length);
        }
    } else {
        const struct tatu_block_decrypter decrypter = cipher->decrypter(&context, key.at);

        if (strcmp(mode, "cbc") == 0) {
            layout = lay_out(how, input, input.length - decrypter.block_bytes);
            result = tatu_cbc_decrypt(decrypter, layout.output.at, layout.input.at, layout.output.length);
        } else {
            layout = lay_out(how, input, input.length);
            result = tatu_ecb_leaky_decrypt(decrypter, layout.output.at, layout.input.at, input.length);
        }
    }
    print_and_free(result, layout);
    free_bytes(key);
    free_bytes(entropy);
}

static void run_ctr(void)
{
    const struct cipher *const cipher = find_cipher(word());
    const int is_encryption = strcmp(word(), "encrypt") == 0;
    const char *const how = word();
    const struct bytes key = parse(word());
    const struct bytes entropy = parse(word());
    const char *const blocks_left = word();
    char *message = strtok(NULL, " \n");
    union any_context context;
    struct bytes entropy_left = entropy;
    const struct tatu_block_encrypter encrypter = cipher->encrypter(&context, key.at);
    struct tatu_ctr ctr;

    if (is_encryption) {
        const int result = tatu_ctr_start(&ctr, encrypter, take, &entropy_left);

        printf("%d ", result);
        if (strcmp(blocks_left, "-") != 0) {
            ctr.blocks_left = (uint32_t)strtoul(blocks_left, NULL, 10);
        }
    }
    for (message = strtok(message, ","); message != NULL; message = strtok(NULL, ",")) {
        const struct bytes input = parse(message);
        struct layout layout;
        int result = TATU_OK;

        if (is_encryption) {
            layout = lay_out(how, input, encrypter.block_bytes + input.length);
            result = tatu_ctr_encrypt(&ctr, layout.output.at, layout.input.at, input.length);
        } else {
            layout = lay_out(how, input, input.length - encrypter.block_bytes);
            tatu_ctr_decrypt(encrypter, layout.output.at, layout.input.at, layout.output.length);
        }
        print_and_free(result, layout);
        printf(" ");
    }
    free_bytes(key);
    free_bytes(entropy);
}

static void run_drbg(void)
{
    const struct bytes entropy = parse(word());
    struct bytes entropy_left = entropy;
    char *request = strtok(NULL, " \n");
    struct tatu_drbg drbg;

    printf("%d", tatu_drbg_start(&drbg, take, &entropy_left));
    for (request = strtok(request, ","); request != NULL; request = strtok(NULL, ",")) {
        printf(" ");
        if (strcmp(request, "r") == 0) {
            printf("%d", tatu_drbg_reseed(&drbg, take, &entropy_left));
        } else {
            const struct bytes output = new_bytes(strtoul(request, NULL, 10));
            const int result = tatu_drbg_generate(&drbg, output.at, output.length);

            print(result, output.at, output.length);
            free_bytes(output);
        }
    }
    free_bytes(entropy);
}

static void run_noise(void)
{
    const struct bytes samples = parse(word());
    struct bytes samples_left = samples;
    char *request = strtok(NULL, " \n");
    struct tatu_noise noise;

    printf("%d", tatu_noise_start(&noise, take_sample, &samples_left));
    for (request = strtok(request, ","); request != NULL; request = strtok(NULL, ",")) {
        const struct bytes output = new_bytes(strtoul(request, NULL, 10));
        const int result = tatu_noise_read(&noise, output.at, output.length);

        printf(" ");
        print(result, output.at, output.length);
        free_bytes(output);
    }
    free_bytes(samples);
}

static void run_health(void)
{
    const struct bytes samples = parse(word());
    struct tatu_noise_health health;
    size_t failed_after = 0;

    tatu_internal_health_start(&health);
    for (size_t i = 0; i < samples.length && failed_after == 0; i++) {
        if (tatu_internal_health_check(&health, samples.at[i]) != TATU_OK) {
            failed_after = i + 1;
        }
    }
    printf("%u", (unsigned)failed_after);
    free_bytes(samples);
}

int main(void)
{
    static char line[1 << 20];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const command = strtok(line, " \n");

        if (command == NULL) {
            die("an empty command");
        } else if (strcmp(command, "ecb") == 0 || strcmp(command, "cbc") == 0) {
            run_block_mode(command);
        } else if (strcmp(command, "ctr") == 0) {
            run_ctr();
        } else if (strcmp(command, "drbg") == 0) {
            run_drbg();
        } else if (strcmp(command, "noise") == 0) {
            run_noise();
        } else if (strcmp(command, "health") == 0) {
            run_health();
        } else {
            die("no such command");
        }
        printf("\n");
    }
    return 0;
}
