/* Runs Tatu's SLH-DSA for the tests. One command a line: PUBLIC-KEY MESSAGE SIGNATURE CHUNK. With CHUNK 0 the
 * signature is of the message with a context of the message's first 3 bytes, and verified whole. Otherwise it is of
 * the internal function, and comes in pieces. The answer is the result. */
#include <tatu/slh_dsa.h>

#include "driver_buffers.h"

#define LONGEST_LINE 40000
#define MAX_WORDS 4
#define CONTEXT_BYTES 3

static int verify_in_pieces(const struct buffer *key, const struct buffer *message, const struct buffer *signature,
                            size_t chunk)
{
    struct tatu_slh_dsa_sha2_128s slh;
    size_t at = TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES;
    int result;

    tatu_slh_dsa_sha2_128s_init_internal(&slh, key->bytes, signature->bytes);
    for (size_t i = 0; i < message->length; i++) {
        tatu_slh_dsa_sha2_128s_update_message(&slh, message->bytes + i, 1);
    }
    while (at < signature->length) {
        size_t taken = signature->length - at < chunk ? signature->length - at : chunk;
        tatu_slh_dsa_sha2_128s_update_message(&slh, NULL, 0);
        tatu_slh_dsa_sha2_128s_update_signature(&slh, signature->bytes + at, taken);
        tatu_slh_dsa_sha2_128s_update_signature(&slh, NULL, 0);
        at += taken;
    }
    result = tatu_slh_dsa_sha2_128s_final(&slh);
    if (tatu_slh_dsa_sha2_128s_final(&slh) != TATU_ERR_STATE) {
        exit(3);
    }
    return result;
}

/* A message that goes on after the signature must be refused, and a context of 256 bytes. */
static void check_misuse(const struct buffer *key, const struct buffer *message, const struct buffer *signature)
{
    static const uint8_t context[256];
    struct tatu_slh_dsa_sha2_128s slh;

    tatu_slh_dsa_sha2_128s_init_internal(&slh, key->bytes, signature->bytes);
    tatu_slh_dsa_sha2_128s_update_message(&slh, message->bytes, message->length);
    tatu_slh_dsa_sha2_128s_update_signature(&slh, signature->bytes + TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES,
                                            signature->length - TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES);
    tatu_slh_dsa_sha2_128s_update_message(&slh, message->bytes, 1);
    if (tatu_slh_dsa_sha2_128s_final(&slh) != TATU_ERR_AUTHENTICATION) {
        exit(4);
    }
    if (tatu_slh_dsa_sha2_128s_init(&slh, key->bytes, signature->bytes, context, sizeof context) != TATU_ERR_LENGTH ||
        tatu_slh_dsa_sha2_128s_final(&slh) != TATU_ERR_AUTHENTICATION) {
        exit(5);
    }
}

int main(void)
{
    static char line[LONGEST_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[MAX_WORDS] = {0};
        char *rest = line;
        struct buffer key, message, signature;
        size_t chunk;
        int result;

        for (int i = 0; i < MAX_WORDS && (words[i] = strtok(rest, " \n")) != NULL; i++) {
            rest = NULL;
        }
        key = from_hex(words[0]);
        message = from_hex(words[1]);
        signature = from_hex(words[2]);
        chunk = strtoul(words[3], NULL, 10);
        if (chunk == 0) {
            result =
                tatu_slh_dsa_sha2_128s_verify(key.bytes, message.bytes + CONTEXT_BYTES, message.length - CONTEXT_BYTES,
                                              message.bytes, CONTEXT_BYTES, signature.bytes, signature.length);
        } else {
            result = verify_in_pieces(&key, &message, &signature, chunk);
            if (result == TATU_OK) {
                check_misuse(&key, &message, &signature);
            }
        }
        printf("%d\n", result);
        free(key.block);
        free(message.block);
        free(signature.block);
    }
    return 0;
}
