/* Runs the functions of ml_kem_kernels.h for the tests: NUMBER P R FIRST SECOND THIRD -> RESULT FIRST */
#include "driver_buffers.h"
#include "ml_kem_kernels.h"

static void fill(union polynomial *polynomial)
{
    struct buffer buffer = from_hex(strtok(NULL, " \n"));

    memcpy(polynomial->bytes, buffer.bytes, sizeof polynomial->bytes);
    free(buffer.block);
}

int main(void)
{
    static char line[8000];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const int kernel = atoi(strtok(line, " "));
        const int p = atoi(strtok(NULL, " "));
        const int r = atoi(strtok(NULL, " "));

        fill(&first);
        fill(&second);
        fill(&third);
        printf("%d ", run_kernel((uint8_t)kernel, (uint8_t)p, (uint8_t)r));
        print_bytes(first.bytes, sizeof first.bytes);
        printf("\n");
    }
    return 0;
}
