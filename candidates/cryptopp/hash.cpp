// Crypto++'s hashes behind C: CRYPTOPP_HASH is the class, its object on the stack of the call.
#include <crypto++/cryptlib.h>
#include CRYPTOPP_HEADER

#include "extensions.h"

extern "C" void cryptopp_hash(unsigned char *digest, const unsigned char *message, size_t length)
{
    CryptoPP::CRYPTOPP_HASH().CalculateDigest(digest, message, length);
}
