#include <tatu/speck.h>

#include <string.h>

void tatu_speck64_128_tiny_set_key(struct tatu_speck64_128_tiny *context, const uint8_t key[16])
{
    memcpy(context->key, key, 16);
}
