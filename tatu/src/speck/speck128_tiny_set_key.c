#include <tatu/speck.h>

#include <string.h>

void tatu_speck128_128_tiny_set_key(struct tatu_speck128_128_tiny *context, const uint8_t key[16])
{
    memcpy(context->key, key, 16);
}

void tatu_speck128_192_tiny_set_key(struct tatu_speck128_192_tiny *context, const uint8_t key[24])
{
    memcpy(context->key, key, 24);
}

void tatu_speck128_256_tiny_set_key(struct tatu_speck128_256_tiny *context, const uint8_t key[32])
{
    memcpy(context->key, key, 32);
}
