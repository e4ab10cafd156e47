/* Runs Tatu's AES-GCM for the tests. Commands: see `main`. */
#include <tatu/aes.h>
#include <tatu/gcm.h>
#include <tatu/speck.h>

#include "driver_buffers.h"

#define LONGEST_LINE 20000
#define MAX_WORDS 8

static union {
    struct tatu_aes128 aes128;
    struct tatu_aes192 aes192;
    struct tatu_aes256 aes256;
    struct tatu_aes128_tiny aes128_tiny;
} contexts;

/* By the length of the key. A key of 17 bytes is one for tiny AES-128, whose encrypter takes one block at a time. */
static struct tatu_block_encrypter cipher_for(const struct buffer *key)
{
    if (key->length == 17) {
        tatu_aes128_tiny_set_key(&contexts.aes128_tiny, key->bytes);
        return tatu_aes128_tiny_encrypter(&contexts.aes128_tiny);
    }
    if (key->length == 16) {
        tatu_aes128_set_key(&contexts.aes128, key->bytes);
        return tatu_aes128_encrypter(&contexts.aes128);
    }
    if (key->length == 24) {
        tatu_aes192_set_key(&contexts.aes192, key->bytes);
        return tatu_aes192_encrypter(&contexts.aes192);
    }
    tatu_aes256_set_key(&contexts.aes256, key->bytes);
    return tatu_aes256_encrypter(&contexts.aes256);
}

/* KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG-LENGTH (encrypt) or TAG (decrypt) */
static void crypt(char **words, int decrypts)
{
    struct buffer key_bytes = from_hex(words[0]), nonce = from_hex(words[1]), associated_data = from_hex(words[2]);
    struct buffer input = from_hex(words[3]), tag, output;
    struct tatu_gcm_key key;
    int result;

    tag = decrypts ? from_hex(words[5]) : new_buffer(strtoul(words[5], NULL, 10));
    output = strcmp(words[4], "alias") == 0 ? input : new_buffer(input.length);
    if (tatu_gcm_set_key(&key, cipher_for(&key_bytes)) != TATU_OK) {
        exit(3);
    }
    if (decrypts) {
        result = tatu_gcm_decrypt(&key, output.bytes, input.bytes, input.length, associated_data.bytes,
                                  associated_data.length, nonce.bytes, tag.bytes, tag.length);
    } else {
        result = tatu_gcm_encrypt(&key, output.bytes, input.bytes, input.length, associated_data.bytes,
                                  associated_data.length, nonce.bytes, tag.bytes, tag.length);
    }
    printf("%d", result);
    print_hex(&output);
    if (!decrypts) {
        print_hex(&tag);
    }
    if (output.block != input.block) {
        free(output.block);
    }
    free(key_bytes.block);
    free(nonce.block);
    free(associated_data.block);
    free(input.block);
    free(tag.block);
}

/* A cipher of 8 bytes is refused, and the key that it leaves refuses every message. */
static void misuse(void)
{
    static const uint8_t bytes[16];
    struct tatu_speck64_128 speck;
    struct tatu_gcm_key key;
    uint8_t output[16], tag[16];

    memset(output, 0xa5, sizeof output);
    memset(tag, 0xa5, sizeof tag);
    tatu_speck64_128_set_key(&speck, bytes);
    printf("%d", tatu_gcm_set_key(&key, tatu_speck64_128_encrypter(&speck)));
    printf(" %d ", tatu_gcm_encrypt(&key, output, bytes, sizeof output, NULL, 0, bytes, tag, sizeof tag));
    print_bytes(output, sizeof output);
    print_bytes(tag, sizeof tag);
    memset(output, 0xa5, sizeof output);
    printf(" %d ", tatu_gcm_decrypt(&key, output, bytes, sizeof output, NULL, 0, bytes, tag, sizeof tag));
    print_bytes(output, sizeof output);
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
        if (strcmp(words[0], "encrypt") == 0) {
            crypt(words + 1, 0);
        } else if (strcmp(words[0], "decrypt") == 0) {
            crypt(words + 1, 1);
        } else if (strcmp(words[0], "misuse") == 0) {
            misuse();
        } else {
            return 2;
        }
        printf("\n");
    }
    return 0;
}
