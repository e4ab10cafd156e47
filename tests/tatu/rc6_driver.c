/* Runs Tatu's RC6 for the tests: one command a line on standard input, one answer a line on standard output. Bytes are
 * hexadecimal. Every buffer is exactly as long as documented and begins at an odd address, so that the sanitizers see
 * any access beside it or that needs alignment.
 *
 *   plain|tiny encrypt|decrypt apart|same KEY BLOCK...    -> BLOCK...  (same: output == input)
 *   plain|tiny set-key - KEY                              -> the round keys */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/rc6.h>

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(2);
}

static uint8_t *new_bytes(size_t length)
{
    uint8_t *const memory = malloc(length + 1);

    if (memory == NULL) {
        die("no memory");
    }
    memset(memory, 0xa5, length + 1);
    return memory + 1;
}

static void free_bytes(uint8_t *bytes)
{
    free(bytes - 1);
}

static uint8_t *parse(const char *text, size_t *length)
{
    uint8_t *bytes;

    *length = strlen(text) / 2;
    bytes = new_bytes(*length);
    for (size_t i = 0; i < *length; i++) {
        unsigned byte;

        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            die("not hexadecimal");
        }
        bytes[i] = (uint8_t)byte;
    }
    return bytes;
}

static void print(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        printf("%02x", bytes[i]);
    }
}

static void set_key(int tiny, struct tatu_rc6 *context, const uint8_t *key, size_t length)
{
    switch (length) {
    case 16:
        (tiny ? tatu_rc6_tiny_128_set_key : tatu_rc6_128_set_key)(context, key);
        break;
    case 24:
        (tiny ? tatu_rc6_tiny_192_set_key : tatu_rc6_192_set_key)(context, key);
        break;
    case 32:
        (tiny ? tatu_rc6_tiny_256_set_key : tatu_rc6_256_set_key)(context, key);
        break;
    default:
        die("no such length of key");
    }
}

static void run(struct tatu_rc6 *context, int tiny, const char *direction, int same, const char *block)
{
    size_t length;
    uint8_t *const input = parse(block, &length);
    uint8_t *const output = same ? input : new_bytes(TATU_RC6_BLOCK_BYTES);

    if (length != TATU_RC6_BLOCK_BYTES) {
        die("not one block");
    }
    if (strcmp(direction, "encrypt") == 0) {
        (tiny ? tatu_rc6_tiny_encrypter : tatu_rc6_encrypter)(context).encrypt(context, output, input);
    } else {
        (tiny ? tatu_rc6_tiny_decrypter : tatu_rc6_decrypter)(context).decrypt(context, output, input);
    }
    print(output, TATU_RC6_BLOCK_BYTES);
    if (!same) {
        free_bytes(output);
    }
    free_bytes(input);
}

int main(void)
{
    static char line[4096];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const variant = strtok(line, " \n");
        const char *const operation = strtok(NULL, " \n");
        const char *const layout = strtok(NULL, " \n");
        const char *const key_text = strtok(NULL, " \n");
        struct tatu_rc6 *const context = (struct tatu_rc6 *)(void *)new_bytes(sizeof *context);
        const char *block;
        size_t key_length;
        uint8_t *key;
        int tiny;

        if (key_text == NULL) {
            die("a command has at least four words");
        }
        tiny = strcmp(variant, "tiny") == 0;
        key = parse(key_text, &key_length);
        set_key(tiny, context, key, key_length);
        if (strcmp(operation, "set-key") == 0) {
            print(context->round_keys, sizeof context->round_keys);
        }
        while ((block = strtok(NULL, " \n")) != NULL) {
            run(context, tiny, operation, strcmp(layout, "same") == 0, block);
            printf(" ");
        }
        printf("\n");
        free_bytes(key);
        free_bytes((uint8_t *)context);
    }
    return 0;
}
