/* Crypto++, hashes: through the function of hash.cpp, whose call is counted. */
#define BANCADA_ONE_SHOT 1

typedef bancada_no_context bancada_hash_context;

void cryptopp_hash(unsigned char *digest, const unsigned char *message, size_t length);

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    (void)context;
    cryptopp_hash(digest, message, length);
}
