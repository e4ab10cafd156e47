/* Runs the functions of a curve for the tests. The file that includes this includes the curve's own header.
 *
 *   key SECRET                              -> RESULT PUBLIC
 *   check PUBLIC                            -> RESULT
 *   ecdh SECRET PUBLIC                      -> RESULT SHARED
 *   sign SECRET DIGEST                      -> RESULT SIGNATURE
 *   verify PUBLIC SIGNATURE DIGEST          -> RESULT
 *   encode PUBLIC                           -> UNCOMPRESSED COMPRESSED
 *   decode ENCODING                         -> RESULT PUBLIC
 *   OPERATION A B                           -> the result of an operation of a program modulo p; of 9, modulo n
 *
 * RESULT is what the function returned. */
#ifndef TATU_TESTS_CURVE_DRIVER_H
#define TATU_TESTS_CURVE_DRIVER_H

#include "curve_operation.h"
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
            print_result(CURVE_API(public_key)(output.bytes, a.bytes), &output, 64);
        } else if (strcmp(operation, "check") == 0) {
            printf("%d\n", CURVE_API(check_public_key)(a.bytes));
        } else if (strcmp(operation, "ecdh") == 0) {
            print_result(CURVE_API(ecdh)(output.bytes, a.bytes, b.bytes), &output, 32);
        } else if (strcmp(operation, "sign") == 0) {
            print_result(CURVE_API(sign)(a.bytes, output.bytes, b.bytes), &output, 64);
        } else if (strcmp(operation, "verify") == 0) {
            printf("%d\n", CURVE_API(verify)(a.bytes, b.bytes, c.bytes));
        } else if (operation[0] >= '1' && operation[0] <= '9') {
            curve_operate(output.bytes, (uint8_t)(operation[0] - '0'), a.bytes, b.bytes);
            print_bytes(output.bytes, 32);
            printf("\n");
        } else if (strcmp(operation, "encode") == 0) {
            const struct buffer compressed = new_buffer(33);
            const struct buffer uncompressed = new_buffer(65);

            CURVE_API(encode)(uncompressed.bytes, a.bytes);
            CURVE_API(encode_compressed)(compressed.bytes, a.bytes);
            print_bytes(uncompressed.bytes, uncompressed.length);
            printf(" ");
            print_bytes(compressed.bytes, compressed.length);
            printf("\n");
            free(compressed.block);
            free(uncompressed.block);
        } else {
            print_result(CURVE_API(decode)(output.bytes, a.bytes, a.length), &output, 64);
        }
        free(a.block);
        free(b.block);
        free(c.block);
        free(output.block);
    }
    return 0;
}

#endif
