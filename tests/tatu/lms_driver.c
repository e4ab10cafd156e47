/* Runs Tatu's LMS for the tests. One command a line: PUBLIC-KEY MESSAGE SIGNATURE CHUNK, the signature whole if CHUNK
 * is 0, or "misuse". The answer is the result. */
#include <tatu/lms.h>

#include "driver_buffers.h"

#define LONGEST_LINE 40000
#define MAX_WORDS 4

static int verify_in_pieces(const struct buffer *key, const struct buffer *message, const struct buffer *signature,
                            size_t chunk)
{
    struct tatu_lms lms;
    size_t at = TATU_LMS_BEGINNING_BYTES;
    int begun = tatu_lms_init(&lms, key->bytes, signature->bytes), result;

    for (size_t i = 0; i < message->length; i++) {
        tatu_lms_update_message(&lms, message->bytes + i, 1);
    }
    while (at < signature->length) {
        size_t taken = signature->length - at < chunk ? signature->length - at : chunk;
        tatu_lms_update_message(&lms, NULL, 0);
        tatu_lms_update_signature(&lms, signature->bytes + at, taken);
        tatu_lms_update_signature(&lms, NULL, 0);
        at += taken;
    }
    result = tatu_lms_final(&lms);
    if ((begun != TATU_OK && result == TATU_OK) || tatu_lms_final(&lms) != TATU_ERR_STATE) {
        exit(3);
    }
    return result;
}

/* The message after the signature: of the vector, a byte of the message comes last. */
static int misuse(const struct buffer *key, const struct buffer *message, const struct buffer *signature)
{
    struct tatu_lms lms;

    (void)!tatu_lms_init(&lms, key->bytes, signature->bytes);
    tatu_lms_update_message(&lms, message->bytes, message->length);
    tatu_lms_update_signature(&lms, signature->bytes + TATU_LMS_BEGINNING_BYTES,
                              signature->length - TATU_LMS_BEGINNING_BYTES);
    tatu_lms_update_message(&lms, message->bytes, 1);
    return tatu_lms_final(&lms);
}

int main(void)
{
    static char line[LONGEST_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[MAX_WORDS] = {0};
        char *rest = line;
        struct buffer key, message, signature;
        int result;

        for (int i = 0; i < MAX_WORDS && (words[i] = strtok(rest, " \n")) != NULL; i++) {
            rest = NULL;
        }
        key = from_hex(words[0]);
        message = from_hex(words[1]);
        signature = from_hex(words[2]);
        if (strcmp(words[3], "misuse") == 0) {
            result = misuse(&key, &message, &signature);
        } else if (strcmp(words[3], "0") == 0) {
            result = tatu_lms_verify(key.bytes, message.bytes, message.length, signature.bytes, signature.length);
        } else {
            result = verify_in_pieces(&key, &message, &signature, strtoul(words[3], NULL, 10));
        }
        printf("%d\n", result);
        free(key.block);
        free(message.block);
        free(signature.block);
    }
    return 0;
}
