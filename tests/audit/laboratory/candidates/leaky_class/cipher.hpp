#ifndef LEAKY_CIPHER_HPP
#define LEAKY_CIPHER_HPP

#include <stdint.h>
#include <string.h>

class Cipher {
public:
    void setKey(const uint8_t *key);
    void encrypt(uint8_t *output, const uint8_t *input) const;
    void neverCalled(uint8_t *output, const uint8_t *input) const;

private:
    uint8_t doubled(uint8_t value) const;

    uint8_t key[16];
};

#endif
