#include <tatu/aes.h>

#include <string.h>

void tatu_aes128_small_set_key(struct tatu_aes128_small *context, const uint8_t key[16])
{
    memcpy(context->key, key, 16);
}

void tatu_aes192_small_set_key(struct tatu_aes192_small *context, const uint8_t key[24])
{
    memcpy(context->key, key, 24);
}

void tatu_aes256_small_set_key(struct tatu_aes256_small *context, const uint8_t key[32])
{
    memcpy(context->key, key, 32);
}
