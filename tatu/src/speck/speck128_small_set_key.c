#include <tatu/speck.h>

#include <string.h>

void tatu_speck128_128_small_set_key(struct tatu_speck128_128_small *context, const uint8_t key[16])
{
    memcpy(context->key, key, 16);
}

void tatu_speck128_192_small_set_key(struct tatu_speck128_192_small *context, const uint8_t key[24])
{
    memcpy(context->key, key, 24);
}

void tatu_speck128_256_small_set_key(struct tatu_speck128_256_small *context, const uint8_t key[32])
{
    memcpy(context->key, key, 32);
}
