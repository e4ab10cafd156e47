// Crypto++'s block ciphers behind C: CRYPTOPP_CIPHER is the class. Its objects, and the round keys they point to, are
// on the heap.
#include <crypto++/cryptlib.h>
#include CRYPTOPP_HEADER

#include "cipher.h"
#include "extensions.h"

typedef CryptoPP::CRYPTOPP_CIPHER::Encryption Encryption;
typedef CryptoPP::CRYPTOPP_CIPHER::Decryption Decryption;

static const unsigned PARALLEL = CryptoPP::BlockTransformation::BT_AllowParallel;

extern "C" void cryptopp_set_encrypt_key(void **context, const unsigned char *key, size_t key_bytes)
{
    delete static_cast<Encryption *>(*context);
    *context = new Encryption(key, key_bytes);
}

extern "C" void cryptopp_set_decrypt_key(void **context, const unsigned char *key, size_t key_bytes)
{
    delete static_cast<Decryption *>(*context);
    *context = new Decryption(key, key_bytes);
}

extern "C" void cryptopp_encrypt(const void *context, unsigned char *output, const unsigned char *input, size_t length)
{
    static_cast<const Encryption *>(context)->AdvancedProcessBlocks(input, nullptr, output, length, PARALLEL);
}

extern "C" void cryptopp_decrypt(const void *context, unsigned char *output, const unsigned char *input, size_t length)
{
    static_cast<const Decryption *>(context)->AdvancedProcessBlocks(input, nullptr, output, length, PARALLEL);
}
