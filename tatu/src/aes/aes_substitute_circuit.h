/* The S-box of AES as a circuit, for devices with a data cache. */
#ifndef TATU_AES_SUBSTITUTE_CIRCUIT_H
#define TATU_AES_SUBSTITUTE_CIRCUIT_H

#include <stdint.h>

/* Sixteen bytes as eight bit planes: plane[i] holds bit i of every byte, in the low four bits of each of its own four
 * bytes. What the other bits hold means nothing. */
struct tatu_internal_aes_planes {
    uint32_t plane[8];
};

void tatu_internal_aes_planes_load(struct tatu_internal_aes_planes *planes, const uint8_t bytes[16]);
void tatu_internal_aes_planes_store(uint8_t bytes[16], const struct tatu_internal_aes_planes *planes);

/* SubBytes (FIPS 197, section 5.1.1) of all sixteen bytes. */
void tatu_internal_aes_planes_substitute(struct tatu_internal_aes_planes *planes);

#endif
