/* Runs Tatu's HMAC-SHA-256 and HKDF-SHA-256 for the tests.
 *
 *   hmac KEY MESSAGE CHUNK             -> RESULT TAG  (in one piece if CHUNK is 0)
 *   verify KEY MESSAGE CHUNK TAG       -> RESULT
 *   hkdf SALT SECRET INFO LENGTH       -> RESULT OUTPUT
 *   misuse                             -> results of a message that is ended twice, tag of the second end, and result
 *                                         and tag of zeroed memory */
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>

#include "driver_buffers.h"

#define LONGEST_LINE 40000
#define MAX_WORDS 5

static void begin_in_chunks(struct tatu_hmac_sha256 *mac, const struct buffer *key, const struct buffer *message,
                            size_t chunk)
{
    const uint8_t *input = message->bytes;
    size_t length = message->length;

    memset(mac, 0xa5, sizeof *mac);
    tatu_hmac_sha256_init(mac, key->bytes, key->length);
    while (length > 0) {
        const size_t taken = length < chunk ? length : chunk;

        tatu_hmac_sha256_update(mac, input, taken);
        tatu_hmac_sha256_update(mac, NULL, 0);
        input += taken;
        length -= taken;
    }
}

static void run_hmac(char **words)
{
    const struct buffer key = from_hex(words[0]), message = from_hex(words[1]), tag = new_buffer(32);
    const size_t chunk = strtoul(words[2], NULL, 10);
    int result = TATU_OK;

    if (chunk == 0) {
        tatu_hmac_sha256(key.bytes, key.length, tag.bytes, message.bytes, message.length);
    } else {
        struct tatu_hmac_sha256 mac;

        begin_in_chunks(&mac, &key, &message, chunk);
        result = tatu_hmac_sha256_final(&mac, tag.bytes);
        if (!is_zero(&mac, sizeof mac)) {
            exit(3);
        }
    }
    printf("%d", result);
    print_hex(&tag);
    free(key.block);
    free(message.block);
    free(tag.block);
}

static void run_verify(char **words)
{
    const struct buffer key = from_hex(words[0]), message = from_hex(words[1]), tag = from_hex(words[3]);
    const size_t chunk = strtoul(words[2], NULL, 10);

    if (chunk == 0) {
        printf("%d",
               tatu_hmac_sha256_verify(key.bytes, key.length, tag.bytes, tag.length, message.bytes, message.length));
    } else {
        struct tatu_hmac_sha256 mac;

        begin_in_chunks(&mac, &key, &message, chunk);
        printf("%d", tatu_hmac_sha256_verify_final(&mac, tag.bytes, tag.length));
        if (!is_zero(&mac, sizeof mac)) {
            exit(3);
        }
    }
    free(key.block);
    free(message.block);
    free(tag.block);
}

static void run_hkdf(char **words)
{
    const struct buffer salt = from_hex(words[0]), secret = from_hex(words[1]), info = from_hex(words[2]);
    const struct buffer output = new_buffer(strtoul(words[3], NULL, 10));

    printf("%d", tatu_hkdf_sha256(output.bytes, output.length, salt.bytes, salt.length, secret.bytes, secret.length,
                                  info.bytes, info.length));
    print_hex(&output);
    free(salt.block);
    free(secret.block);
    free(info.block);
    free(output.block);
}

static void run_misuse(void)
{
    struct tatu_hmac_sha256 mac;
    uint8_t tag[32];

    tatu_hmac_sha256_init(&mac, NULL, 0);
    printf("%d", tatu_hmac_sha256_final(&mac, tag));
    tatu_hmac_sha256_update(&mac, tag, sizeof tag);
    printf(" %d ", tatu_hmac_sha256_final(&mac, tag));
    print_bytes(tag, sizeof tag);
    memset(&mac, 0, sizeof mac);
    memset(tag, 0xa5, sizeof tag);
    printf(" %d", tatu_hmac_sha256_verify_final(&mac, tag, sizeof tag));
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
        if (strcmp(words[0], "hmac") == 0) {
            run_hmac(words + 1);
        } else if (strcmp(words[0], "verify") == 0) {
            run_verify(words + 1);
        } else if (strcmp(words[0], "hkdf") == 0) {
            run_hkdf(words + 1);
        } else if (strcmp(words[0], "misuse") == 0) {
            run_misuse();
        } else {
            return 2;
        }
        printf("\n");
    }
    return 0;
}
