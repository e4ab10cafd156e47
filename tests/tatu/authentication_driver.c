/* Runs Tatu's CMAC and CCM for the tests. Commands: see `main`. */
#include <tatu/ccm.h>
#include <tatu/cmac.h>
#include <tatu/speck.h>

#include "driver_buffers.h"

#define LONGEST_LINE 400000
#define MAX_WORDS 9

/* ---- ciphers, by name ---- */

static union {
    struct tatu_aes128 aes128;
    struct tatu_aes192 aes192;
    struct tatu_aes256 aes256;
    struct tatu_aes128_tiny aes128_tiny;
    struct tatu_speck64_128 speck64_128;
} contexts;

static struct tatu_block_encrypter cipher_named(const char *name, const uint8_t *key)
{
    if (strcmp(name, "aes128") == 0) {
        tatu_aes128_set_key(&contexts.aes128, key);
        return tatu_aes128_encrypter(&contexts.aes128);
    }
    if (strcmp(name, "aes192") == 0) {
        tatu_aes192_set_key(&contexts.aes192, key);
        return tatu_aes192_encrypter(&contexts.aes192);
    }
    if (strcmp(name, "aes256") == 0) {
        tatu_aes256_set_key(&contexts.aes256, key);
        return tatu_aes256_encrypter(&contexts.aes256);
    }
    if (strcmp(name, "aes128-tiny") == 0) {
        tatu_aes128_tiny_set_key(&contexts.aes128_tiny, key);
        return tatu_aes128_tiny_encrypter(&contexts.aes128_tiny);
    }
    if (strcmp(name, "speck64") == 0) {
        tatu_speck64_128_set_key(&contexts.speck64_128, key);
        return tatu_speck64_128_encrypter(&contexts.speck64_128);
    }
    exit(2);
}

/* ---- CMAC ---- */

static void update_in_chunks(struct tatu_cmac *mac, const struct buffer *message, size_t chunk)
{
    const uint8_t *input = message->bytes;
    size_t length = message->length;
    while (length > 0) {
        size_t taken = length < chunk ? length : chunk;
        tatu_cmac_update(mac, input, taken);
        tatu_cmac_update(mac, NULL, 0);
        input += taken;
        length -= taken;
    }
}

/* CIPHER KEY MESSAGE CHUNK TAG-LENGTH; in one piece if CHUNK is 0 */
static void run_cmac(char **words)
{
    struct buffer key_bytes = from_hex(words[1]), message = from_hex(words[2]);
    struct buffer tag = new_buffer(strtoul(words[4], NULL, 10));
    size_t chunk = strtoul(words[3], NULL, 10);
    struct tatu_cmac_key key;
    struct tatu_cmac mac;
    int result;

    tatu_cmac_set_key(&key, cipher_named(words[0], key_bytes.bytes));
    if (chunk == 0) {
        result = tatu_cmac(&key, tag.bytes, tag.length, message.bytes, message.length);
    } else {
        tatu_cmac_init(&mac, &key);
        update_in_chunks(&mac, &message, chunk);
        result = tatu_cmac_final(&mac, tag.bytes, tag.length);
        if (!is_zero(&mac, sizeof mac)) {
            exit(3);
        }
    }
    printf("%d", result);
    print_hex(&tag);
    free(key_bytes.block);
    free(message.block);
    free(tag.block);
}

/* CIPHER KEY MESSAGE CHUNK TAG */
static void run_cmac_verify(char **words)
{
    struct buffer key_bytes = from_hex(words[1]), message = from_hex(words[2]), tag = from_hex(words[4]);
    size_t chunk = strtoul(words[3], NULL, 10);
    struct tatu_cmac_key key;
    struct tatu_cmac mac;

    tatu_cmac_set_key(&key, cipher_named(words[0], key_bytes.bytes));
    if (chunk == 0) {
        printf("%d", tatu_cmac_verify(&key, tag.bytes, tag.length, message.bytes, message.length));
    } else {
        tatu_cmac_init(&mac, &key);
        update_in_chunks(&mac, &message, chunk);
        printf("%d", tatu_cmac_verify_final(&mac, tag.bytes, tag.length));
        if (!is_zero(&mac, sizeof mac)) {
            exit(3);
        }
    }
    free(key_bytes.block);
    free(message.block);
    free(tag.block);
}

/* ---- CCM ---- */

struct ccm_arguments {
    struct buffer key, nonce, associated_data, input, output, tag;
};

/* KEY NONCE ASSOCIATED-DATA INPUT and "alias" or "apart" */
static struct ccm_arguments ccm_arguments(char **words)
{
    struct ccm_arguments a;
    a.key = from_hex(words[0]);
    a.nonce = from_hex(words[1]);
    a.associated_data = from_hex(words[2]);
    a.input = from_hex(words[3]);
    a.output = new_buffer(a.input.length);
    if (strcmp(words[4], "alias") == 0) {
        free(a.output.block);
        a.output = a.input;
    }
    return a;
}

static void free_ccm_arguments(struct ccm_arguments *a)
{
    if (a->output.block != a->input.block) {
        free(a->output.block);
    }
    free(a->key.block);
    free(a->nonce.block);
    free(a->associated_data.block);
    free(a->input.block);
    free(a->tag.block);
}

#define CCM_REST(a)                                                                                             \
    (a).output.bytes, (a).input.bytes, (a).input.length, (a).associated_data.bytes, (a).associated_data.length, \
        (a).nonce.bytes, (a).nonce.length, (a).tag.bytes, (a).tag.length

/* CIPHER KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG-LENGTH */
static void run_ccm_encrypt(char **words)
{
    struct ccm_arguments a = ccm_arguments(words + 1);
    struct tatu_block_encrypter cipher = cipher_named(words[0], a.key.bytes);

    a.tag = new_buffer(strtoul(words[6], NULL, 10));
    printf("%d", tatu_ccm_encrypt(cipher, CCM_REST(a)));
    print_hex(&a.output);
    print_hex(&a.tag);
    free_ccm_arguments(&a);
}

/* CIPHER KEY NONCE ASSOCIATED-DATA INPUT alias|apart TAG */
static void run_ccm_decrypt(char **words)
{
    struct ccm_arguments a = ccm_arguments(words + 1);
    struct tatu_block_encrypter cipher = cipher_named(words[0], a.key.bytes);

    a.tag = from_hex(words[6]);
    printf("%d", tatu_ccm_decrypt(cipher, CCM_REST(a)));
    print_hex(&a.output);
    free_ccm_arguments(&a);
}

/* The same by tatu_aesK_ccm_encrypt and _decrypt, there and back: prints the ciphertext, the tag and the message. */
static void run_ccm_typed(char **words)
{
    struct ccm_arguments a = ccm_arguments(words + 1);
    int results[2] = {1, 1};

    (void)cipher_named(words[0], a.key.bytes);
    a.tag = new_buffer(strtoul(words[6], NULL, 10));
    for (int decrypting = 0; decrypting < 2; decrypting++) {
        if (strcmp(words[0], "aes128") == 0) {
            results[decrypting] = decrypting ? tatu_aes128_ccm_decrypt(&contexts.aes128, CCM_REST(a))
                                             : tatu_aes128_ccm_encrypt(&contexts.aes128, CCM_REST(a));
        } else if (strcmp(words[0], "aes192") == 0) {
            results[decrypting] = decrypting ? tatu_aes192_ccm_decrypt(&contexts.aes192, CCM_REST(a))
                                             : tatu_aes192_ccm_encrypt(&contexts.aes192, CCM_REST(a));
        } else {
            results[decrypting] = decrypting ? tatu_aes256_ccm_decrypt(&contexts.aes256, CCM_REST(a))
                                             : tatu_aes256_ccm_encrypt(&contexts.aes256, CCM_REST(a));
        }
        printf("%d", results[decrypting]);
        print_hex(&a.output);
        print_hex(&a.tag);
        printf(" ");
    }
    free_ccm_arguments(&a);
}

/* A message that is ended twice, then zeroed memory: results and tags of both ways to end. */
static void run_cmac_misuse(void)
{
    static const uint8_t key_bytes[16];
    struct tatu_cmac_key key;
    struct tatu_cmac mac;
    uint8_t tag[16];

    tatu_cmac_set_key(&key, cipher_named("aes128", key_bytes));
    tatu_cmac_init(&mac, &key);
    tatu_cmac_update(&mac, key_bytes, sizeof key_bytes);
    printf("%d", tatu_cmac_final(&mac, tag, sizeof tag));
    tatu_cmac_update(&mac, key_bytes, sizeof key_bytes);
    printf(" %d", tatu_cmac_verify_final(&mac, tag, sizeof tag));
    tatu_cmac_update(&mac, key_bytes, sizeof key_bytes);
    printf(" %d ", tatu_cmac_final(&mac, tag, sizeof tag));
    print_bytes(tag, sizeof tag);
    tatu_cmac_init(&mac, &key);
    tatu_cmac_update(&mac, key_bytes, sizeof key_bytes);
    printf(" %d ", tatu_cmac_final(&mac, tag, sizeof tag));
    print_bytes(tag, sizeof tag);
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
        if (strcmp(words[0], "cmac") == 0) {
            run_cmac(words + 1);
        } else if (strcmp(words[0], "cmac-verify") == 0) {
            run_cmac_verify(words + 1);
        } else if (strcmp(words[0], "cmac-misuse") == 0) {
            run_cmac_misuse();
        } else if (strcmp(words[0], "ccm-encrypt") == 0) {
            run_ccm_encrypt(words + 1);
        } else if (strcmp(words[0], "ccm-decrypt") == 0) {
            run_ccm_decrypt(words + 1);
        } else if (strcmp(words[0], "ccm-typed") == 0) {
            run_ccm_typed(words + 1);
        } else {
            return 2;
        }
        printf("\n");
    }
    return 0;
}
