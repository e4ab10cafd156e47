// Crypto++'s AEADs behind C: CRYPTOPP_AEAD is the class, its objects on the heap.
#include <crypto++/cryptlib.h>
#include <crypto++/aes.h>
#include <crypto++/ccm.h>
#include <crypto++/chachapoly.h>

#include "aead.h"
#include "extensions.h"

typedef CryptoPP::CRYPTOPP_AEAD::Encryption Encryption;
typedef CryptoPP::CRYPTOPP_AEAD::Decryption Decryption;

extern "C" void cryptopp_aead_set_key(struct cryptopp_aead *context, const unsigned char *key, size_t key_bytes,
                                      const unsigned char *nonce, size_t nonce_bytes)
{
    delete static_cast<Encryption *>(context->encryption);
    delete static_cast<Decryption *>(context->decryption);
    Encryption *encryption = new Encryption;
    Decryption *decryption = new Decryption;
    encryption->SetKeyWithIV(key, key_bytes, nonce, nonce_bytes);
    decryption->SetKeyWithIV(key, key_bytes, nonce, nonce_bytes);
    context->encryption = encryption;
    context->decryption = decryption;
}

extern "C" void cryptopp_aead_encrypt(struct cryptopp_aead *context, unsigned char *output, const unsigned char *input,
                                      size_t length, const unsigned char *associated, size_t associated_length,
                                      const unsigned char *nonce, int nonce_bytes, unsigned char *tag, size_t tag_bytes)
{
    static_cast<Encryption *>(context->encryption)
        ->EncryptAndAuthenticate(output, tag, tag_bytes, nonce, nonce_bytes, associated, associated_length, input,
                                 length);
}

extern "C" int cryptopp_aead_decrypt(struct cryptopp_aead *context, unsigned char *output, const unsigned char *input,
                                     size_t length, const unsigned char *associated, size_t associated_length,
                                     const unsigned char *nonce, int nonce_bytes, const unsigned char *tag,
                                     size_t tag_bytes)
{
    return !static_cast<Decryption *>(context->decryption)
                ->DecryptAndVerify(output, tag, tag_bytes, nonce, nonce_bytes, associated, associated_length, input,
                                   length);
}
