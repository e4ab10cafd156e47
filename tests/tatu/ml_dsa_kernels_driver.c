/* Runs the functions of ml_dsa_kernels.h for the tests: NUMBER P R FIRST SECOND BYTES -> RESULT FIRST */
#include "driver_buffers.h"
#include "ml_dsa_kernels.h"

static void fill(uint8_t kernel, tatu_internal_ml_dsa_coefficient *numbers)
{
    struct buffer buffer = from_hex(strtok(NULL, " \n"));

    for (unsigned int i = 0; i < 256; i++) {
        take(kernel, numbers, i, buffer.bytes + 4 * i);
    }
    free(buffer.block);
}

int main(void)
{
    static char line[8000];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const uint8_t kernel = (uint8_t)atoi(strtok(line, " "));
        const uint8_t p = (uint8_t)atoi(strtok(NULL, " "));
        const uint8_t r = (uint8_t)atoi(strtok(NULL, " "));
        struct buffer given;

        fill(kernel, first);
        fill(kernel, second);
        given = from_hex(strtok(NULL, " \n"));
        memcpy(bytes, given.bytes, sizeof bytes);
        free(given.block);
        printf("%d ", run_kernel(kernel, p, r));
        for (unsigned int i = 0; i < 256; i++) {
            uint8_t number[4];

            give(kernel, i, number);
            print_bytes(number, sizeof number);
        }
        printf("\n");
    }
    return 0;
}
