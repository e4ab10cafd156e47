/* Runs Tatu's Ascon for the tests. Commands: see `commands` at the end. */
#include <tatu/ascon.h>

#include "driver_buffers.h"

#define MAX_ARGUMENTS 8
#define LONGEST_LINE 8192

struct aead_arguments {
    struct buffer key, nonce, associated_data, input, output, tag;
};

/* KEY NONCE ASSOCIATED-DATA INPUT, and "alias" or "apart" */
static struct aead_arguments aead_arguments(char **arguments)
{
    struct aead_arguments a;
    a.key = from_hex(arguments[0]);
    a.nonce = from_hex(arguments[1]);
    a.associated_data = from_hex(arguments[2]);
    a.input = from_hex(arguments[3]);
    a.output = new_buffer(a.input.length);
    if (strcmp(arguments[4], "alias") == 0) {
        free(a.output.block);
        a.output = a.input;
    }
    return a;
}

static void finish_aead(struct aead_arguments *a, int result, int with_tag)
{
    printf("%d", result);
    print_hex(&a->output);
    if (with_tag) {
        print_hex(&a->tag);
    }
    printf("\n");
    if (a->output.block != a->input.block) {
        free(a->output.block);
    }
    free(a->key.block);
    free(a->nonce.block);
    free(a->associated_data.block);
    free(a->input.block);
    free(a->tag.block);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG-LENGTH */
static void ascon_encrypt(char **arguments)
{
    struct aead_arguments a = aead_arguments(arguments);
    a.tag = new_buffer((size_t)atoi(arguments[5]));
    const int result =
        tatu_ascon_aead128_encrypt(a.key.bytes, a.output.bytes, a.input.bytes, a.input.length, a.associated_data.bytes,
                                   a.associated_data.length, a.nonce.bytes, a.tag.bytes, a.tag.length);
    finish_aead(&a, result, 1);
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG-LENGTH CHUNK */
static void ascon_encrypt_in_pieces(char **arguments)
{
    struct aead_arguments a = aead_arguments(arguments);
    const size_t chunk = (size_t)atoi(arguments[6]);
    struct tatu_ascon_aead128_encryption encryption;
    a.tag = new_buffer((size_t)atoi(arguments[5]));
    tatu_ascon_aead128_encrypt_init(&encryption, a.key.bytes, a.associated_data.bytes, a.associated_data.length,
                                    a.nonce.bytes);
    for (size_t done = 0; done < a.input.length; done += chunk) {
        tatu_ascon_aead128_encrypt_update(&encryption, a.output.bytes + done, a.input.bytes + done,
                                          smaller(chunk, a.input.length - done));
    }
    const int result = tatu_ascon_aead128_encrypt_final(&encryption, a.tag.bytes, a.tag.length);
    finish_aead(&a, result, 1);
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG */
static void ascon_decrypt(char **arguments)
{
    struct aead_arguments a = aead_arguments(arguments);
    a.tag = from_hex(arguments[5]);
    const int result =
        tatu_ascon_aead128_decrypt(a.key.bytes, a.output.bytes, a.input.bytes, a.input.length, a.associated_data.bytes,
                                   a.associated_data.length, a.nonce.bytes, a.tag.bytes, a.tag.length);
    finish_aead(&a, result, 0);
}

/* INPUT CHUNK (0: in one call) */
static void ascon_hash256(char **arguments)
{
    struct buffer input = from_hex(arguments[0]);
    struct buffer digest = new_buffer(TATU_ASCON_HASH256_BYTES);
    const size_t chunk = (size_t)atoi(arguments[1]);
    if (chunk == 0) {
        tatu_ascon_hash256(digest.bytes, input.bytes, input.length);
    } else {
        struct tatu_ascon_hash256 hash;
        uint8_t ended[32] = {1};
        tatu_ascon_hash256_init(&hash);
        for (size_t done = 0; done < input.length; done += chunk) {
            tatu_ascon_hash256_update(&hash, input.bytes + done, smaller(chunk, input.length - done));
        }
        tatu_ascon_hash256_final(&hash, digest.bytes);
        tatu_ascon_hash256_update(&hash, (const uint8_t *)"too late", 8);
        tatu_ascon_hash256_final(&hash, ended);
        if (!is_zero(ended, sizeof ended) || !is_zero(&hash, sizeof hash)) {
            exit(4);
        }
    }
    printf("0");
    print_hex(&digest);
    printf("\n");
    free(input.block);
    free(digest.block);
}

/* INPUT CHUNK (0: in one call) OUTPUT-LENGTH */
static void ascon_xof128(char **arguments)
{
    struct buffer input = from_hex(arguments[0]);
    struct buffer output = new_buffer((size_t)atoi(arguments[2]));
    const size_t chunk = (size_t)atoi(arguments[1]);
    if (chunk == 0) {
        tatu_ascon_xof128(output.bytes, output.length, input.bytes, input.length);
    } else {
        struct tatu_ascon_xof128 xof;
        uint8_t ended[32] = {1};
        tatu_ascon_xof128_init(&xof);
        for (size_t done = 0; done < input.length; done += chunk) {
            tatu_ascon_xof128_update(&xof, input.bytes + done, smaller(chunk, input.length - done));
        }
        tatu_ascon_xof128_final(&xof, output.bytes, output.length);
        tatu_ascon_xof128_update(&xof, (const uint8_t *)"too late", 8);
        tatu_ascon_xof128_final(&xof, ended, sizeof ended);
        if (!is_zero(ended, sizeof ended) || !is_zero(&xof, sizeof xof)) {
            exit(4);
        }
    }
    printf("0");
    print_hex(&output);
    printf("\n");
    free(input.block);
    free(output.block);
}

/* INPUT CHUNK (0: in one call) OUTPUT-LENGTH CUSTOMIZATION */
static void ascon_cxof128(char **arguments)
{
    struct buffer input = from_hex(arguments[0]), customization = from_hex(arguments[3]);
    struct buffer output = new_buffer((size_t)atoi(arguments[2]));
    const size_t chunk = (size_t)atoi(arguments[1]);
    int result;
    if (chunk == 0) {
        result = tatu_ascon_cxof128(output.bytes, output.length, input.bytes, input.length, customization.bytes,
                                    customization.length);
    } else {
        struct tatu_ascon_xof128 xof;
        result = tatu_ascon_cxof128_init(&xof, customization.bytes, customization.length);
        for (size_t done = 0; done < input.length; done += chunk) {
            tatu_ascon_xof128_update(&xof, input.bytes + done, smaller(chunk, input.length - done));
        }
        tatu_ascon_xof128_final(&xof, output.bytes, output.length);
    }
    printf("%d", result);
    print_hex(&output);
    printf("\n");
    free(input.block);
    free(customization.block);
    free(output.block);
}

/* KEY INPUT CHUNK (0: in one call) */
static void ascon_mac(char **arguments)
{
    struct buffer key = from_hex(arguments[0]), input = from_hex(arguments[1]);
    struct buffer tag = new_buffer(TATU_ASCON_MAC_TAG_BYTES);
    const size_t chunk = (size_t)atoi(arguments[2]);
    int result = TATU_OK;
    if (chunk == 0) {
        tatu_ascon_mac(key.bytes, tag.bytes, input.bytes, input.length);
    } else {
        struct tatu_ascon_mac mac;
        uint8_t ended[16] = {1};
        tatu_ascon_mac_init(&mac, key.bytes);
        for (size_t done = 0; done < input.length; done += chunk) {
            tatu_ascon_mac_update(&mac, input.bytes + done, smaller(chunk, input.length - done));
        }
        result = tatu_ascon_mac_final(&mac, tag.bytes);
        tatu_ascon_mac_update(&mac, (const uint8_t *)"too late", 8);
        if (tatu_ascon_mac_verify_final(&mac, ended, 16) != TATU_ERR_STATE ||
            tatu_ascon_mac_final(&mac, ended) != TATU_ERR_STATE || !is_zero(ended, sizeof ended) ||
            !is_zero(&mac, sizeof mac)) {
            exit(4);
        }
    }
    printf("%d", result);
    print_hex(&tag);
    printf("\n");
    free(key.block);
    free(input.block);
    free(tag.block);
}

/* KEY INPUT TAG: whole and in two pieces */
static void ascon_mac_verify(char **arguments)
{
    struct buffer key = from_hex(arguments[0]), input = from_hex(arguments[1]), tag = from_hex(arguments[2]);
    const size_t half = input.length / 2;
    struct tatu_ascon_mac mac;
    const int result = tatu_ascon_mac_verify(key.bytes, tag.bytes, tag.length, input.bytes, input.length);
    tatu_ascon_mac_init(&mac, key.bytes);
    tatu_ascon_mac_update(&mac, input.bytes, half);
    tatu_ascon_mac_update(&mac, input.bytes + half, input.length - half);
    if (tatu_ascon_mac_verify_final(&mac, tag.bytes, tag.length) != result) {
        exit(4);
    }
    printf("%d\n", result);
    free(key.block);
    free(input.block);
    free(tag.block);
}

static const struct {
    const char *name;
    int arguments;
    void (*run)(char **arguments);
} commands[] = {
    {"ascon-encrypt", 6, ascon_encrypt}, {"ascon-encrypt-in-pieces", 7, ascon_encrypt_in_pieces},
    {"ascon-decrypt", 6, ascon_decrypt}, {"ascon-hash256", 2, ascon_hash256},
    {"ascon-xof128", 3, ascon_xof128},   {"ascon-cxof128", 4, ascon_cxof128},
    {"ascon-mac", 3, ascon_mac},         {"ascon-mac-verify", 3, ascon_mac_verify},
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
