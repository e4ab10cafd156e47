/* Runs Tatu's ML-KEM for the tests. Each line begins with 512 or 768.
 *
 *   generate SEED                 -> RESULT EK DK   (by all three functions, which must agree)
 *   encapsulate EK M              -> RESULT CIPHERTEXT SECRET   (whole and in pieces, which must agree)
 *   stopped EK M COUNT            -> RESULT SECRET  (in pieces, where the write of number COUNT fails)
 *   without-entropy EK            -> RESULT CIPHERTEXT SECRET of encapsulation, RESULT EK DK of key generation
 *   decapsulate DK CIPHERTEXT     -> SECRET
 *   decapsulate-seed SEED CIPHERTEXT -> SECRET
 *   check-ek EK, check-dk DK      -> RESULT */
#include <tatu/ml_kem.h>

#include "chosen_bytes.h"
#include "driver_buffers.h"

static const struct {
    size_t encapsulation_key, decapsulation_key, ciphertext;
    int (*generate)(uint8_t *, uint8_t *, tatu_entropy_function *, void *);
    int (*generate_seed)(uint8_t *, uint8_t *, tatu_entropy_function *, void *);
    void (*expand_seed)(uint8_t *, uint8_t *, const uint8_t *);
    int (*encapsulate)(uint8_t *, uint8_t *, const uint8_t *, tatu_entropy_function *, void *);
    int (*in_pieces)(uint8_t *, tatu_ml_kem_write_function *, void *, tatu_ml_kem_read_function *, void *,
                     tatu_entropy_function *, void *);
    void (*decapsulate)(uint8_t *, const uint8_t *, const uint8_t *);
    void (*decapsulate_with_seed)(uint8_t *, const uint8_t *, const uint8_t *);
    int (*check_encapsulation_key)(const uint8_t *);
    int (*check_decapsulation_key)(const uint8_t *);
} sets[] = {
#define SET(name)                                  \
    {TATU_ML_KEM_##name##_ENCAPSULATION_KEY_BYTES, \
     TATU_ML_KEM_##name##_DECAPSULATION_KEY_BYTES, \
     TATU_ML_KEM_##name##_CIPHERTEXT_BYTES,        \
     tatu_ml_kem_##name##_generate,                \
     tatu_ml_kem_##name##_generate_seed,           \
     tatu_ml_kem_##name##_expand_seed,             \
     tatu_ml_kem_##name##_encapsulate,             \
     tatu_ml_kem_##name##_encapsulate_in_pieces,   \
     tatu_ml_kem_##name##_decapsulate,             \
     tatu_ml_kem_##name##_decapsulate_with_seed,   \
     tatu_ml_kem_##name##_check_encapsulation_key, \
     tatu_ml_kem_##name##_check_decapsulation_key}
    SET(512), SET(768)};

struct written {
    uint8_t bytes[TATU_ML_KEM_768_CIPHERTEXT_BYTES];
    size_t length;
    int until_failure; /* how many more writes succeed; never failing if it is below 0 */
};

static int write_piece(void *state, const uint8_t *bytes, size_t length)
{
    struct written *written = state;

    if (written->until_failure-- == 0) {
        return FAILURE;
    }
    if (length > 40 || length > sizeof written->bytes - written->length) {
        exit(3);
    }
    memcpy(written->bytes + written->length, bytes, length);
    written->length += length;
    return TATU_OK;
}

static int read_piece(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    const struct buffer *key = state;

    if (offset > key->length || length > key->length - offset) {
        exit(4);
    }
    memcpy(bytes, key->bytes + offset, length);
    return TATU_OK;
}

static void must_be_equal(const void *a, const void *b, size_t length)
{
    if (memcmp(a, b, length) != 0) {
        printf("DIFFER ");
    }
}

static void release(struct buffer *buffer)
{
    free(buffer->block);
}

int main(void)
{
    static char line[20000];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const unsigned int set = strcmp(strtok(line, " \n"), "768") == 0;
        const char *const operation = strtok(NULL, " \n");
        const char *const texts[] = {strtok(NULL, " \n"), strtok(NULL, " \n"), strtok(NULL, " \n")};
        struct buffer first = from_hex(texts[0]), second = from_hex(texts[1] == NULL ? "-" : texts[1]);
        struct buffer encapsulation_key = new_buffer(sets[set].encapsulation_key);
        struct buffer decapsulation_key = new_buffer(sets[set].decapsulation_key);
        struct buffer again = new_buffer(sets[set].decapsulation_key);
        struct buffer ciphertext = new_buffer(sets[set].ciphertext), secret = new_buffer(32);

        if (strcmp(operation, "generate") == 0) {
            uint8_t seed[64];

            printf("%d ", sets[set].generate(encapsulation_key.bytes, decapsulation_key.bytes, chosen, &first));
            print_bytes(encapsulation_key.bytes, encapsulation_key.length);
            print_hex(&decapsulation_key);
            if (sets[set].generate_seed(again.bytes, seed, chosen, &first) != TATU_OK) {
                printf("FAILS ");
            }
            must_be_equal(seed, first.bytes, 64);
            must_be_equal(again.bytes, encapsulation_key.bytes, encapsulation_key.length);
            sets[set].expand_seed(encapsulation_key.bytes, again.bytes, first.bytes);
            must_be_equal(again.bytes, decapsulation_key.bytes, again.length);
        } else if (strcmp(operation, "encapsulate") == 0) {
            struct written written = {{0}, 0, -1};
            uint8_t other[32];
            int result = sets[set].encapsulate(secret.bytes, ciphertext.bytes, first.bytes, chosen, &second);

            printf("%d ", result);
            print_bytes(ciphertext.bytes, ciphertext.length);
            print_hex(&secret);
            if (sets[set].in_pieces(other, write_piece, &written, read_piece, &first, chosen, &second) != result ||
                written.length != (result == TATU_OK ? ciphertext.length : 0)) {
                printf("DIFFER ");
            }
            must_be_equal(other, secret.bytes, sizeof other);
            must_be_equal(written.bytes, ciphertext.bytes, written.length);
        } else if (strcmp(operation, "stopped") == 0) {
            struct written written = {{0}, 0, atoi(texts[2])};

            printf("%d", sets[set].in_pieces(secret.bytes, write_piece, &written, read_piece, &first, chosen, &second));
            print_hex(&secret);
        } else if (strcmp(operation, "without-entropy") == 0) {
            printf("%d ", sets[set].encapsulate(secret.bytes, ciphertext.bytes, first.bytes, chosen, NULL));
            print_bytes(ciphertext.bytes, ciphertext.length);
            print_hex(&secret);
            printf(" %d", sets[set].generate(encapsulation_key.bytes, decapsulation_key.bytes, chosen, NULL));
            print_hex(&encapsulation_key);
            print_hex(&decapsulation_key);
            printf(" %d", sets[set].generate_seed(encapsulation_key.bytes, again.bytes, chosen, NULL));
        } else if (strcmp(operation, "check-ek") == 0) {
            printf("%d", sets[set].check_encapsulation_key(first.bytes));
        } else if (strcmp(operation, "check-dk") == 0) {
            printf("%d", sets[set].check_decapsulation_key(first.bytes));
        } else {
            const int from_seed = strcmp(operation, "decapsulate-seed") == 0;

            (from_seed ? sets[set].decapsulate_with_seed : sets[set].decapsulate)(secret.bytes, second.bytes,
                                                                                  first.bytes);
            print_bytes(secret.bytes, secret.length);
        }
        printf("\n");
        release(&first);
        release(&second);
        release(&encapsulation_key);
        release(&decapsulation_key);
        release(&again);
        release(&ciphertext);
        release(&secret);
    }
    return 0;
}
