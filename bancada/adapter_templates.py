"""The adapters that `bancada new candidate` writes for a library that is there already: they compile, and fail the vectors until
the library's own calls stand in them. In C++ for a library that has classes, in C otherwise; both are of at most twenty lines.
"""

from __future__ import annotations

# In each: {what} says what is to be put in, {includes} are the library's headers.
BLOCK_CIPHER = """\
// Puts {title} behind the contract of a block cipher (harness/include/bancada/block_cipher.h). What stands in these functions is timed.
{includes}
{what}
#define BANCADA_ONE_KEY 1 // one key schedule serves both directions

typedef struct {{ uint8_t key[BANCADA_KEY_BYTES]; }} bancada_encrypt_context; // {context}

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{{
    memcpy(context->key, key, BANCADA_KEY_BYTES); // {set_key}
}}
static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    memmove(output, input, BANCADA_BLOCK_BYTES); // {encrypt}
}}
static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    memmove(output, input, BANCADA_BLOCK_BYTES); // {decrypt}
}}
"""
HASH = """\
// Puts {title} behind the contract of a hash (harness/include/bancada/hash.h). What stands in this function is what is timed.
{includes}
{what}
typedef struct {{ uint8_t state[BANCADA_DIGEST_BYTES]; }} bancada_hash_context; // {context}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{{
    memset(digest, 0, BANCADA_DIGEST_BYTES); // {hash}
}}
"""
AEAD = """\
// Puts {title} behind the contract of authenticated encryption (harness/include/bancada/aead.h). What stands here is what is timed.
{includes}
{what}
typedef struct {{ uint8_t key[BANCADA_KEY_BYTES]; }} bancada_aead_context; // {context}

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{{
    memcpy(context->key, key, BANCADA_KEY_BYTES); // {set_key}
}}
static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
    const uint8_t *associated, size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    return 0; // {encrypt}
}}
static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
    const uint8_t *associated, size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    return -1; // {decrypt}
}}
"""
ADAPTERS = {"block-cipher": BLOCK_CIPHER, "hash": HASH, "aead": AEAD}

# What the comments beside each line say, for a class and for functions. {name} is a class, or the prefix of functions.
CALLS_CPP = {
    "context": "put the library's class here: typedef {name} {type};",
    "set_key": "the library's call, as in context->setKey(key, BANCADA_KEY_BYTES);",
    "encrypt": "the library's call, as in context->encryptBlock(output, input);",
    "decrypt": "the library's call, as in context->decryptBlock(output, input);",
    "hash": "the library's calls: context->reset(), update(message, length), finalize(digest)",
}
CALLS_C = {
    "context": "put the library's own type here",
    "set_key": "the library's call, as in {name}_set_key(context, key);",
    "encrypt": "the library's call, as in {name}_encrypt(context, output, input);",
    "decrypt": "the library's call, as in {name}_decrypt(context, output, input);",
    "hash": "the library's calls",
}
