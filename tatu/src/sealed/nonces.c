#include <tatu/sealed.h>

#include <string.h>

void tatu_nonces_start(struct tatu_nonces *nonces, const uint8_t sender[TATU_NONCES_SENDER_BYTES], uint64_t first,
                       uint32_t count)
{
    nonces->next = first;
    nonces->left = count;
    memcpy(nonces->sender, sender, sizeof nonces->sender);
}

int tatu_nonces_take(void *nonces, uint8_t *output, size_t length)
{
    struct tatu_nonces *const own = (struct tatu_nonces *)nonces;
    uint64_t number = own->next;

    if (length != TATU_SEALED_NONCE_BYTES || own->left == 0) {
        memset(output, 0, length);
        return length != TATU_SEALED_NONCE_BYTES ? TATU_ERR_LENGTH : TATU_ERR_EXHAUSTED;
    }
    own->next++;
    own->left--;
    memcpy(output, own->sender, sizeof own->sender);
    for (uint8_t i = TATU_SEALED_NONCE_BYTES; i > TATU_NONCES_SENDER_BYTES; i--) {
        output[i - 1] = (uint8_t)number;
        number >>= 8;
    }
    return TATU_OK;
}
