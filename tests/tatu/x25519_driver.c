/* Runs Tatu's X25519 for the tests.
 *
 *   public-key SECRET              -> PUBLIC
 *   exchange SECRET PEER           -> RESULT SHARED   (RESULT: what tatu_x25519 returned)
 *   NUMBER A B                     -> the result of an operation of operations[] */
#include <tatu/x25519.h>

#include "driver_buffers.h"
#include "x25519/field25519.h"

static void square(tatu_internal_field25519 result, const tatu_internal_field25519 a, const tatu_internal_field25519 b)
{
    (void)b;
    tatu_internal_field25519_square(result, a);
}

static void (*const operations[])(tatu_internal_field25519, const tatu_internal_field25519,
                                  const tatu_internal_field25519) = {
    tatu_internal_field25519_multiply, square, tatu_internal_field25519_add, tatu_internal_field25519_subtract,
    tatu_internal_field25519_add_multiple};

#define WORD_BYTES (TATU_INTERNAL_FIELD25519_WORD_BITS / 8)

/* All 256 bits of a number, which tatu_internal_field25519_load does not take. */
static void to_number(tatu_internal_field25519 number, const uint8_t *bytes)
{
    memset(number, 0, sizeof(tatu_internal_field25519));
    for (unsigned i = 0; i < 32; i++) {
        number[i / WORD_BYTES] |= (tatu_internal_field25519_word)bytes[i] << (8 * (i % WORD_BYTES));
    }
}

/* The result in place of either operand too: where it differs, zeros are printed. */
static void operate(uint8_t result[32], const char *number, const uint8_t *first, const uint8_t *second)
{
    tatu_internal_field25519 a, b, c;

    to_number(a, first);
    to_number(b, second);
    operations[atoi(number)](c, a, b);
    operations[atoi(number)](a, a, b);
    memset(result, 0, 32);
    if (memcmp(a, c, sizeof a) == 0) {
        to_number(a, first);
        operations[atoi(number)](b, a, b);
        for (unsigned i = 0; i < 32 && memcmp(b, c, sizeof c) == 0; i++) {
            result[i] = (uint8_t)(c[i / WORD_BYTES] >> (8 * (i % WORD_BYTES)));
        }
    }
}

int main(void)
{
    static char line[4096];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const operation = strtok(line, " \n");
        const char *const secret_text = strtok(NULL, " \n");
        const char *const peer_text = strtok(NULL, " \n");
        const struct buffer result = new_buffer(TATU_X25519_SECRET_BYTES);
        struct buffer secret;

        if (operation == NULL || secret_text == NULL) {
            return 2;
        }
        secret = from_hex(secret_text);
        if (strcmp(operation, "public-key") == 0) {
            tatu_x25519_public_key(result.bytes, secret.bytes);
        } else {
            const struct buffer peer = from_hex(peer_text);

            if (strcmp(operation, "exchange") == 0) {
                printf("%d ", tatu_x25519(result.bytes, secret.bytes, peer.bytes));
            } else {
                operate(result.bytes, operation, secret.bytes, peer.bytes);
            }
            free(peer.block);
        }
        print_bytes(result.bytes, result.length);
        printf("\n");
        free(secret.block);
        free(result.block);
    }
    return 0;
}
