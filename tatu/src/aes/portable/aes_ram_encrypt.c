#include "../aes_backend.h"

/* Elsewhere: aes_ram_encrypt_avr.S, and _thumb1.S and _thumb2.S. */
#if !defined(TATU_INTERNAL_AES_PLAIN_IN_AVR) && !defined(TATU_INTERNAL_AES_RAM_TABLES)

#include "../aes_plain.h"

void tatu_aes128_ram_encrypt(const struct tatu_aes128 *context, uint8_t output[16], const uint8_t input[16])
{
    TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, 10, output, input, tatu_internal_aes_substitute_ram);
}

void tatu_aes192_ram_encrypt(const struct tatu_aes192 *context, uint8_t output[16], const uint8_t input[16])
{
    TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, 12, output, input, tatu_internal_aes_substitute_ram);
}

void tatu_aes256_ram_encrypt(const struct tatu_aes256 *context, uint8_t output[16], const uint8_t input[16])
{
    TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, 14, output, input, tatu_internal_aes_substitute_ram);
}

#else
typedef int tatu_internal_aes_ram_encrypt_is_in_assembly;
#endif
