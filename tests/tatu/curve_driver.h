/* Runs the functions of a curve for the tests. The file that includes this defines CURVE, which makes their names.
 *
 *   key SECRET                              -> RESULT PUBLIC
 *   check PUBLIC                            -> RESULT
 *   ecdh SECRET PUBLIC                      -> RESULT SHARED
 *   sign SECRET DIGEST                      -> RESULT SIGNATURE
 *   verify PUBLIC SIGNATURE DIGEST          -> RESULT
 *   encode PUBLIC                           -> UNCOMPRESSED COMPRESSED
 *   decode ENCODING                         -> RESULT PUBLIC
 *
 * RESULT is what the function returned. */
#ifndef TATU_TESTS_CURVE_DRIVER_H
#define TATU_TESTS_CURVE_DRIVER_H

#include "driver_buffers.h"

static void print_result(int result, const struct buffer *output, size_t length)
{
    printf("%d ", result);
    print_bytes(output->bytes, length);
    printf("\n");
}

int main(void)
{
    static char line[16384];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const operation = strtok(line, " \n");
        const struct buffer a = from_hex(strtok(NULL, " \n"));
        const char *const second = strtok(NULL, " \n");
        const char *const third = strtok(NULL, " \n");
        const struct buffer b = from_hex(second == NULL ? "-" : second);
        const struct buffer c = from_hex(third == NULL ? "-" : third);
        const struct buffer output = new_buffer(64);

        if (strcmp(operation, "key") == 0) {
            print_result(CURVE(public_key)(output.bytes, a.bytes), &output, 64);
        } else if (strcmp(operation, "check") == 0) {
            printf("%d\n", CURVE(check_public_key)(a.bytes));
        } else if (strcmp(operation, "ecdh") == 0) {
            print_result(CURVE(ecdh)(output.bytes, a.bytes, b.bytes), &output, 32);
        } else if (strcmp(operation, "sign") == 0) {
            print_result(CURVE(sign)(a.bytes, output.bytes, b.bytes), &output, 64);
        } else if (strcmp(operation, "verify") == 0) {
            printf("%d\n", CURVE(verify)(a.bytes, b.bytes, c.bytes));
        } else if (strcmp(operation, "encode") == 0) {
            const struct buffer compressed = new_buffer(33);
            const struct buffer uncompressed = new_buffer(65);

            CURVE(encode)(uncompressed.bytes, a.bytes);
            CURVE(encode_compressed)(compressed.bytes, a.bytes);
            print_bytes(uncompressed.bytes, uncompressed.length);
            printf(" ");
            print_bytes(compressed.bytes, compressed.length);
            printf("\n");
            free(compressed.block);
            free(uncompressed.block);
        } else {
            print_result(CURVE(decode)(output.bytes, a.bytes, a.length), &output, 64);
        }
        free(a.block);
        free(b.block);
        free(c.block);
        free(output.block);
    }
    return 0;
}

#endif
