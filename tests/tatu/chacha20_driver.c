/* Runs Tatu's ChaCha20 and ChaCha20-Poly1305 for the tests. Commands: see `commands` at the end. */
#include <tatu/chacha20.h>
#include <tatu/chacha20_poly1305.h>

#include <stddef.h>

#include "poly1305/poly1305_internal.h"
#include "driver_buffers.h"

#define MAX_ARGUMENTS 8
#define LONGEST_LINE 8192

/* A buffer for the output: `input` itself if `where` is "alias". */
static struct buffer output_for(const struct buffer *input, const char *where)
{
    return strcmp(where, "alias") == 0 ? *input : new_buffer(input->length);
}

static void print_and_free(int result, struct buffer *output, struct buffer *tag, struct buffer *inputs, size_t count)
{
    int is_alias = 0;
    printf("%d", result);
    print_hex(output);
    if (tag != NULL) {
        print_hex(tag);
        free(tag->block);
    }
    printf("\n");
    for (size_t i = 0; i < count; i++) {
        is_alias |= inputs[i].block == output->block;
        free(inputs[i].block);
    }
    if (!is_alias) {
        free(output->block);
    }
}

/* KEY COUNTER NONCE */
static void block(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[2])};
    struct buffer output = new_buffer(TATU_CHACHA20_BLOCK_BYTES);
    tatu_chacha20_block(inputs[0].bytes, output.bytes, (uint32_t)strtoul(arguments[1], NULL, 0), inputs[1].bytes);
    print_and_free(0, &output, NULL, inputs, 2);
}

/* KEY COUNTER NONCE INPUT alias|apart */
static void crypt(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[2]), from_hex(arguments[3])};
    struct buffer output = output_for(&inputs[2], arguments[4]);
    const int result = tatu_chacha20_crypt(inputs[0].bytes, output.bytes, inputs[2].bytes, inputs[2].length,
                                           (uint32_t)strtoul(arguments[1], NULL, 0), inputs[1].bytes);
    print_and_free(result, &output, NULL, inputs, 3);
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart CHUNK (0: in one call) */
static void encrypt(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[1]), from_hex(arguments[2]),
                              from_hex(arguments[3])};
    struct buffer output = output_for(&inputs[3], arguments[4]);
    struct buffer tag = new_buffer(TATU_CHACHA20_POLY1305_TAG_BYTES);
    const size_t chunk = (size_t)atoi(arguments[5]);
    int result = 0;
    if (chunk == 0) {
        result = tatu_chacha20_poly1305_encrypt(inputs[0].bytes, output.bytes, inputs[3].bytes, inputs[3].length,
                                                inputs[2].bytes, inputs[2].length, inputs[1].bytes, tag.bytes);
    } else {
        struct tatu_chacha20_poly1305_encryption encryption;
        tatu_chacha20_poly1305_encrypt_init(&encryption, inputs[0].bytes, inputs[2].bytes, inputs[2].length,
                                            inputs[1].bytes);
        for (size_t done = 0; done < inputs[3].length; done += chunk) {
            const size_t left = inputs[3].length - done;
            result |= tatu_chacha20_poly1305_encrypt_update(&encryption, output.bytes + done, inputs[3].bytes + done,
                                                            chunk < left ? chunk : left);
        }
        result |= tatu_chacha20_poly1305_encrypt_final(&encryption, tag.bytes);
    }
    print_and_free(result, &output, &tag, inputs, 4);
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG */
static void decrypt(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[1]), from_hex(arguments[2]),
                              from_hex(arguments[3]), from_hex(arguments[5])};
    struct buffer output = output_for(&inputs[3], arguments[4]);
    const int result =
        tatu_chacha20_poly1305_decrypt(inputs[0].bytes, output.bytes, inputs[3].bytes, inputs[3].length,
                                       inputs[2].bytes, inputs[2].length, inputs[1].bytes, inputs[4].bytes);
    print_and_free(result, &output, NULL, inputs, 5);
}

/* LENGTH INPUT: pretends that so many bytes have been encrypted already, and encrypts INPUT on top. An error stays. */
static void encrypt_after(char **arguments)
{
    struct tatu_chacha20_poly1305_encryption encryption;
    static const uint8_t key[32], nonce[12];
    struct buffer inputs[] = {from_hex(arguments[1])};
    struct buffer output = new_buffer(inputs[0].length);
    uint8_t tag[16] = {1}, after[2] = {1};
    tatu_chacha20_poly1305_encrypt_init(&encryption, key, NULL, 0, nonce);
    encryption.length = strtoull(arguments[0], NULL, 0);
    const int result =
        tatu_chacha20_poly1305_encrypt_update(&encryption, output.bytes, inputs[0].bytes, inputs[0].length);
    if (result != TATU_OK &&
        (tatu_chacha20_poly1305_encrypt_update(&encryption, after, inputs[0].bytes, 0) != result ||
         tatu_chacha20_poly1305_encrypt_update(&encryption, after, inputs[0].bytes, sizeof after) != result ||
         tatu_chacha20_poly1305_encrypt_final(&encryption, tag) != result || !is_zero(tag, sizeof tag) ||
         !is_zero(after, sizeof after) ||
         !is_zero(&encryption, offsetof(struct tatu_chacha20_poly1305_encryption, status)))) {
        exit(5);
    }
    print_and_free(result, &output, NULL, inputs, 1);
}

/* A message that is ended, zeroed memory, and a message that is begun again: results, then what was written last. */
static void misuse(char **arguments)
{
    static const uint8_t key[32], nonce[12];
    struct tatu_chacha20_poly1305_encryption encryption;
    uint8_t output[16], tag[16];
    (void)arguments;
    tatu_chacha20_poly1305_encrypt_init(&encryption, key, NULL, 0, nonce);
    printf("%d", tatu_chacha20_poly1305_encrypt_final(&encryption, tag));
    for (int i = 0; i < 2; i++) {
        memset(output, 0xa5, sizeof output);
        memset(tag, 0xa5, sizeof tag);
        printf(" %d", tatu_chacha20_poly1305_encrypt_update(&encryption, output, key, sizeof output));
        printf(" %d ", tatu_chacha20_poly1305_encrypt_final(&encryption, tag));
        print_bytes(output, sizeof output);
        print_bytes(tag, sizeof tag);
        memset(&encryption, 0, sizeof encryption);
    }
    tatu_chacha20_poly1305_encrypt_init(&encryption, key, NULL, 0, nonce);
    printf(" %d\n", tatu_chacha20_poly1305_encrypt_update(&encryption, output, key, sizeof output));
}

/* KEY MESSAGE CHUNK (0: in one call) */
static void one_time(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[1])};
    struct buffer tag = new_buffer(TATU_POLY1305_TAG_BYTES);
    const size_t chunk = (size_t)atoi(arguments[2]);
    int result = TATU_OK;
    if (chunk == 0) {
        tatu_poly1305_one_time(inputs[0].bytes, tag.bytes, inputs[1].bytes, inputs[1].length);
    } else {
        struct tatu_poly1305_one_time mac;
        memset(&mac, 0xa5, sizeof mac);
        tatu_poly1305_one_time_init(&mac, inputs[0].bytes);
        for (size_t done = 0; done < inputs[1].length; done += chunk) {
            const size_t left = inputs[1].length - done;
            tatu_poly1305_one_time_update(&mac, inputs[1].bytes + done, chunk < left ? chunk : left);
            tatu_poly1305_one_time_update(&mac, NULL, 0);
        }
        result = tatu_poly1305_one_time_final(&mac, tag.bytes);
        if (!is_zero(&mac, sizeof mac)) {
            exit(3);
        }
    }
    print_and_free(result, &tag, NULL, inputs, 2);
}

/* KEY MESSAGE TAG: whole and in two pieces */
static void one_time_verify(char **arguments)
{
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[1]), from_hex(arguments[2])};
    struct buffer nothing = new_buffer(0);
    struct tatu_poly1305_one_time mac;
    const size_t half = inputs[1].length / 2;
    const int result =
        tatu_poly1305_one_time_verify(inputs[0].bytes, inputs[2].bytes, inputs[1].bytes, inputs[1].length);
    tatu_poly1305_one_time_init(&mac, inputs[0].bytes);
    tatu_poly1305_one_time_update(&mac, inputs[1].bytes, half);
    tatu_poly1305_one_time_update(&mac, inputs[1].bytes + half, inputs[1].length - half);
    if (tatu_poly1305_one_time_verify_final(&mac, inputs[2].bytes) != result) {
        exit(4);
    }
    print_and_free(result, &nothing, NULL, inputs, 3);
}

/* A message that is ended twice, then zeroed memory: results and tags. */
static void one_time_misuse(char **arguments)
{
    static const uint8_t key[32];
    struct tatu_poly1305_one_time mac;
    uint8_t tag[16];
    (void)arguments;
    tatu_poly1305_one_time_init(&mac, key);
    printf("%d", tatu_poly1305_one_time_final(&mac, tag));
    for (int i = 0; i < 2; i++) {
        memset(tag, 0xa5, sizeof tag);
        tatu_poly1305_one_time_update(&mac, key, sizeof key);
        printf(" %d", tatu_poly1305_one_time_verify_final(&mac, tag));
        printf(" %d ", tatu_poly1305_one_time_final(&mac, tag));
        print_bytes(tag, sizeof tag);
        memset(&mac, 0, sizeof mac);
    }
    printf("\n");
}

/* KEY MESSAGE (padded with zeros to whole blocks) CHUNK */
static void poly1305(char **arguments)
{
    struct tatu_internal_poly1305 context;
    struct buffer inputs[] = {from_hex(arguments[0]), from_hex(arguments[1])};
    struct buffer tag = new_buffer(16);
    const size_t chunk = (size_t)atoi(arguments[2]);
    tatu_internal_poly1305_init(&context, inputs[0].bytes);
    for (size_t done = 0; done < inputs[1].length; done += chunk) {
        const size_t left = inputs[1].length - done;
        tatu_internal_poly1305_update(&context, inputs[1].bytes + done, chunk < left ? chunk : left);
    }
    tatu_internal_poly1305_pad(&context);
    tatu_internal_poly1305_final(&context, tag.bytes);
    print_and_free(0, &tag, NULL, inputs, 2);
}

static const struct {
    const char *name;
    int arguments;
    void (*run)(char **arguments);
} commands[] = {
    {"block", 3, block},
    {"crypt", 5, crypt},
    {"encrypt", 6, encrypt},
    {"decrypt", 6, decrypt},
    {"poly1305", 3, poly1305},
    {"encrypt-after", 2, encrypt_after},
    {"misuse", 0, misuse},
    {"one-time", 3, one_time},
    {"one-time-verify", 3, one_time_verify},
    {"one-time-misuse", 0, one_time_misuse},
};

int main(void)
{
    static char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *arguments[MAX_ARGUMENTS];
        int count = 0;
        const char *name = strtok(line, " \n");
        for (char *word; count < MAX_ARGUMENTS && (word = strtok(NULL, " \n")) != NULL;) {
            arguments[count++] = word;
        }
        size_t i = 0;
        while (i < sizeof commands / sizeof commands[0] && (name == NULL || strcmp(name, commands[i].name) != 0)) {
            i++;
        }
        if (i == sizeof commands / sizeof commands[0] || count != commands[i].arguments) {
            fprintf(stderr, "unknown command or wrong number of arguments: %s\n", name == NULL ? "(none)" : name);
            return 2;
        }
        commands[i].run(arguments);
    }
    return 0;
}
