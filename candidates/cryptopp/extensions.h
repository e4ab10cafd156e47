// Crypto++ finds out what a processor has by trying it, not only by asking Linux. An emulated Cortex-A53 has
// instructions for cryptography; where the compiler was told that the device has not, Crypto++ is told so too.
#ifndef CRYPTOPP_EXTENSIONS_H
#define CRYPTOPP_EXTENSIONS_H

#include <crypto++/cpu.h>

#if defined(__aarch64__) && !defined(__ARM_FEATURE_CRYPTO)
namespace
{

struct Extensions {
    Extensions()
    {
        (void)CryptoPP::HasAES(); // tries, the first time that anything is asked
        CryptoPP::g_hasAES = CryptoPP::g_hasPMULL = CryptoPP::g_hasSHA1 = CryptoPP::g_hasSHA2 = false;
    }
};

const Extensions extensions;

} // namespace
#endif

#endif
