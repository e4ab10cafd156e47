/* Runs the points of P-256 for AArch64 (p256_points_aarch64.h) for the tests.
 *
 *   multiply LIMBS LIMBS         -> the product in N, as the state has it: X, Y, Z
 *   double LIMBS                 -> twice the point N, V, Z
 *   add LIMBS LIMBS              -> the sum of the points N, V, Z and N2, V2
 *   add-general LIMBS LIMBS      -> the same with Z2
 *
 * LIMBS are nine numbers of 32 bits for each place, big-endian, the lowest limb first. */
#include <string.h>

#include "driver_buffers.h"
#include "p256/aarch64/p256_points_aarch64.h"

static void load_limbs(struct tatu_internal_p256_points *points, unsigned int place, const struct buffer *bytes)
{
    for (size_t i = 0; i < bytes->length / 4; i++) {
        uint32_t limb = 0;

        for (size_t j = 0; j < 4; j++) {
            limb = limb << 8 | bytes->bytes[4 * i + j];
        }
        points->number[place + i / TATU_INTERNAL_P256_LIMBS][i % TATU_INTERNAL_P256_LIMBS] = (int32_t)limb;
    }
}

int main(void)
{
    static char line[16384];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const operation = strtok(line, " \n");
        const struct buffer a = from_hex(strtok(NULL, " \n"));
        const char *const second = strtok(NULL, " \n");
        const struct buffer b = from_hex(second == NULL ? "-" : second);
        struct tatu_internal_p256_points points;
        struct tatu_internal_curve_state state;
        uint8_t bytes[32];

        memset(&points, 0, sizeof points);
        load_limbs(&points, TATU_INTERNAL_P256_N, &a);
        load_limbs(&points, TATU_INTERNAL_P256_N2, &b);
        if (strcmp(operation, "multiply") == 0) {
            tatu_internal_p256_points_multiply(
                &points, TATU_INTERNAL_P256_FACTORS(TATU_INTERNAL_P256_N, TATU_INTERNAL_P256_N, TATU_INTERNAL_P256_N2));
        } else if (strcmp(operation, "double") == 0) {
            tatu_internal_p256_points_double(&points, 1);
        } else {
            tatu_internal_p256_points_add(&points, strcmp(operation, "add-general") == 0);
        }
        tatu_internal_p256_points_store(&state, &points);
        for (unsigned int i = 0; i < 3; i++) {
            tatu_internal_p256_store(bytes, state.number[TATU_INTERNAL_CURVE_X + i]);
            print_bytes(bytes, sizeof bytes);
            printf(i < 2 ? " " : "\n");
        }
        free(a.block);
        free(b.block);
    }
    return 0;
}
