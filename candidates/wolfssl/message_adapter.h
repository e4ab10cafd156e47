/* wolfSSL's hash, and its signature where messages are signed: the adapters that it has for those. */
#include MESSAGE_HASH
#if defined(BANCADA_SIGNS)
#include MESSAGE_SIGNATURE
#endif
