#include "aes_internal.h"

#if defined(__AVR__)

#include "../common/flash.h"

void tatu_internal_aes_inverse_substitute(uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        bytes[i] = TATU_INTERNAL_READ_FLASH_BYTE(&tatu_internal_aes_inverse_sbox[bytes[i]]);
    }
}

#else

#include <string.h>

#include <tatu/wipe.h>

#include "aes_substitute_circuit.h"

/* The inverse of the S-box's affine map (FIPS 197, section 5.3.2): bit i becomes the sum of bits i + 2, i + 5 and
 * i + 7, and then bits 0 and 2 are flipped. */
static void undo_affine_map(struct tatu_internal_aes_planes *planes)
{
    const struct tatu_internal_aes_planes old = *planes;

    for (unsigned i = 0; i < 8; i++) {
        planes->plane[i] = old.plane[(i + 2) % 8] ^ old.plane[(i + 5) % 8] ^ old.plane[(i + 7) % 8];
    }
    planes->plane[0] = ~planes->plane[0];
    planes->plane[2] = ~planes->plane[2];
}

/* The S-box is A(1/x) with A the affine map, and the inverse S-box is 1/A'(x), where A' undoes A. 1/x is A'(S(x)), so
 * one circuit serves both: the inverse S-box is A'(S(A'(x))). */
void tatu_internal_aes_inverse_substitute(uint8_t *bytes, uint8_t length)
{
    struct tatu_internal_aes_planes planes;
    uint8_t block[16] = {0};

    memcpy(block, bytes, length);
    tatu_internal_aes_planes_load(&planes, block);
    undo_affine_map(&planes);
    tatu_internal_aes_planes_substitute(&planes);
    undo_affine_map(&planes);
    tatu_internal_aes_planes_store(block, &planes);
    memcpy(bytes, block, length);
    tatu_wipe(&planes, sizeof planes);
    tatu_wipe(block, sizeof block);
}

#endif
