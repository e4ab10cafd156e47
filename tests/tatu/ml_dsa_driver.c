/* Runs Tatu's ML-DSA-44 for the tests.
 *
 *   generate SEED                          -> RESULT PK SK   (by all three functions, which must agree)
 *   sign SK MESSAGE CONTEXT                -> RESULT SIGNATURE   (deterministic)
 *   hedged SK MESSAGE CONTEXT RANDOM       -> RESULT SIGNATURE   ("-" for RANDOM: no entropy)
 *   verify PK MESSAGE CONTEXT SIGNATURE    -> RESULT   (whole and in pieces, which must agree)
 *   stopped PK MESSAGE SIGNATURE COUNT     -> RESULT   (in pieces, where the read of number COUNT fails)
 *   without-entropy                        -> RESULT PK SK RESULT PK SEED */
#include <tatu/ml_dsa.h>

#include "chosen_bytes.h"
#include "driver_buffers.h"

struct source {
    const struct buffer *buffer;
    int *until_failure; /* how many more reads succeed; never failing if it is below 0 */
};

static int read_piece(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    const struct source *source = state;

    if ((*source->until_failure)-- == 0) {
        return FAILURE;
    }
    if (offset > source->buffer->length || length > source->buffer->length - offset) {
        exit(4);
    }
    memcpy(bytes, source->buffer->bytes + offset, length);
    return TATU_OK;
}

static int verify_in_pieces(const struct buffer *key, const struct buffer *message, const struct buffer *context,
                            const struct buffer *signature, int until_failure)
{
    struct source key_source = {key, &until_failure}, signature_source = {signature, &until_failure};
    struct tatu_ml_dsa_44_message hash;
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];
    int result = tatu_ml_dsa_44_message_init(&hash, read_piece, &key_source, context->bytes, context->length);

    if (result != TATU_OK) {
        return result;
    }
    for (size_t i = 0; i < message->length; i += 7) {
        const size_t left = message->length - i;
        tatu_ml_dsa_44_message_update(&hash, message->bytes + i, left < 7 ? left : 7);
    }
    tatu_ml_dsa_44_message_final(&hash, representative);
    return tatu_ml_dsa_44_verify_in_pieces(representative, read_piece, &key_source, read_piece, &signature_source);
}

static void must_be_equal(const void *a, const void *b, size_t length)
{
    if (memcmp(a, b, length) != 0) {
        printf("DIFFER ");
    }
}

int main(void)
{
    static char line[50000];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const operation = strtok(line, " \n");
        struct buffer given[4];
        const char *last = "-";
        struct buffer public_key = new_buffer(TATU_ML_DSA_44_PUBLIC_KEY_BYTES), other_key = new_buffer(1312);
        struct buffer private_key = new_buffer(TATU_ML_DSA_44_PRIVATE_KEY_BYTES), other_private = new_buffer(2560);
        struct buffer signature = new_buffer(TATU_ML_DSA_44_SIGNATURE_BYTES), seed = new_buffer(32);

        for (unsigned int i = 0; i < 4; i++) {
            const char *text = strtok(NULL, " \n");
            last = text == NULL ? last : text;
            given[i] = from_hex(text == NULL || strlen(text) % 2 == 1 ? "-" : text);
        }
        if (strcmp(operation, "generate") == 0) {
            printf("%d", tatu_ml_dsa_44_generate(public_key.bytes, private_key.bytes, chosen, &given[0]));
            print_hex(&public_key);
            print_hex(&private_key);
            if (tatu_ml_dsa_44_generate_seed(other_key.bytes, seed.bytes, chosen, &given[0]) != TATU_OK) {
                printf("FAILS ");
            }
            must_be_equal(other_key.bytes, public_key.bytes, public_key.length);
            must_be_equal(seed.bytes, given[0].bytes, seed.length);
            memset(other_key.bytes, 0, other_key.length);
            tatu_ml_dsa_44_expand_seed(other_key.bytes, other_private.bytes, given[0].bytes);
            must_be_equal(other_key.bytes, public_key.bytes, public_key.length);
            must_be_equal(other_private.bytes, private_key.bytes, private_key.length);
        } else if (strcmp(operation, "sign") == 0) {
            printf("%d", tatu_ml_dsa_44_sign_deterministic(signature.bytes, given[1].bytes, given[1].length,
                                                           given[2].bytes, given[2].length, given[0].bytes));
            print_hex(&signature);
        } else if (strcmp(operation, "hedged") == 0) {
            printf("%d", tatu_ml_dsa_44_sign(signature.bytes, given[1].bytes, given[1].length, given[2].bytes,
                                             given[2].length, given[0].bytes, chosen, &given[3]));
            print_hex(&signature);
        } else if (strcmp(operation, "verify") == 0) {
            const int result = tatu_ml_dsa_44_verify(given[0].bytes, given[1].bytes, given[1].length, given[2].bytes,
                                                     given[2].length, given[3].bytes);
            printf("%d", result);
            if (verify_in_pieces(&given[0], &given[1], &given[2], &given[3], -1) != result) {
                printf("DIFFER ");
            }
        } else if (strcmp(operation, "stopped") == 0) {
            const struct buffer no_context = {NULL, NULL, 0};
            printf("%d", verify_in_pieces(&given[0], &given[1], &no_context, &given[2], atoi(last + 1)));
        } else {
            printf("%d", tatu_ml_dsa_44_generate(public_key.bytes, private_key.bytes, chosen, NULL));
            print_hex(&public_key);
            print_hex(&private_key);
            printf(" %d", tatu_ml_dsa_44_generate_seed(other_key.bytes, seed.bytes, chosen, NULL));
            print_hex(&other_key);
            print_hex(&seed);
        }
        printf("\n");
        for (unsigned int i = 0; i < 4; i++) {
            free(given[i].block);
        }
        free(public_key.block);
        free(other_key.block);
        free(private_key.block);
        free(other_private.block);
        free(signature.block);
        free(seed.block);
    }
    return 0;
}
