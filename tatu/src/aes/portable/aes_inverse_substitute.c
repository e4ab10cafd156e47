#include "../aes_backend.h"
#include "../aes_internal.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#include "../../common/flash.h"

void tatu_internal_aes_inverse_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        cells[i] = TATU_INTERNAL_READ_FLASH_BYTE(&tatu_internal_aes_inverse_sbox[cells[i]]);
    }
}

#elif !defined(TATU_INTERNAL_AES_PLAIN_IN_NEON) /* with NEON: aes_substitute_neon.c */

#include <string.h>

#include "../aes_substitute_circuit.h"

/* The inverse of the S-box's affine map (FIPS 197, section 5.3.2): bit i becomes the sum of bits i + 2, i + 5 and
 * i + 7, and then bits 0 and 2 are flipped. */
static void undo_affine_map(struct tatu_internal_aes_planes *planes)
{
    uint32_t old[8];

    memcpy(old, planes->plane, sizeof old);
    planes->plane[0] = ~(old[2] ^ old[5] ^ old[7]);
    planes->plane[1] = old[3] ^ old[6] ^ old[0];
    planes->plane[2] = ~(old[4] ^ old[7] ^ old[1]);
    planes->plane[3] = old[5] ^ old[0] ^ old[2];
    planes->plane[4] = old[6] ^ old[1] ^ old[3];
    planes->plane[5] = old[7] ^ old[2] ^ old[4];
    planes->plane[6] = old[0] ^ old[3] ^ old[5];
    planes->plane[7] = old[1] ^ old[4] ^ old[6];
}

/* The S-box is A(1/x) with A the affine map, and the inverse S-box is 1/A'(x), where A' undoes A. 1/x is A'(S(x)), so
 * one circuit serves both: the inverse S-box is A'(S(A'(x))). */
void tatu_internal_aes_inverse_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    struct tatu_internal_aes_planes planes = tatu_internal_aes_planes_load(cells, count);

    undo_affine_map(&planes);
    tatu_internal_aes_planes_substitute(&planes);
    undo_affine_map(&planes);
    tatu_internal_aes_planes_store(cells, count, &planes);
}

#endif
