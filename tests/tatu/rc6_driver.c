/* Runs Tatu's RC6 for the tests.
 *
 *   plain|tiny encrypt|decrypt apart|same KEY BLOCK...    -> BLOCK...  (same: output == input)
 *   plain|tiny set-key - KEY                              -> the round keys */
#include <tatu/rc6.h>

#include "driver_buffers.h"

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(2);
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
    const struct buffer input = from_hex(block);
    const struct buffer output = same ? input : new_buffer(TATU_RC6_BLOCK_BYTES);

    if (input.length != TATU_RC6_BLOCK_BYTES) {
        die("not one block");
    }
    if (strcmp(direction, "encrypt") == 0) {
        (tiny ? tatu_rc6_tiny_encrypter : tatu_rc6_encrypter)(context).encrypt(context, output.bytes, input.bytes);
    } else {
        (tiny ? tatu_rc6_tiny_decrypter : tatu_rc6_decrypter)(context).decrypt(context, output.bytes, input.bytes);
    }
    print_bytes(output.bytes, output.length);
    if (!same) {
        free(output.block);
    }
    free(input.block);
}

int main(void)
{
    static char line[4096];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const variant = strtok(line, " \n");
        const char *const operation = strtok(NULL, " \n");
        const char *const layout = strtok(NULL, " \n");
        const char *const key_text = strtok(NULL, " \n");
        const struct buffer memory = new_buffer(sizeof(struct tatu_rc6));
        struct tatu_rc6 *const context = (struct tatu_rc6 *)(void *)memory.bytes;
        const char *block;
        struct buffer key;
        int tiny;

        if (key_text == NULL) {
            die("a command has at least four words");
        }
        tiny = strcmp(variant, "tiny") == 0;
        key = from_hex(key_text);
        set_key(tiny, context, key.bytes, key.length);
        if (strcmp(operation, "set-key") == 0) {
            print_bytes(context->round_keys, sizeof context->round_keys);
        }
        while ((block = strtok(NULL, " \n")) != NULL) {
            run(context, tiny, operation, strcmp(layout, "same") == 0, block);
            printf(" ");
        }
        printf("\n");
        free(key.block);
        free(memory.block);
    }
    return 0;
}
