/* Tatu: a block cipher with its key, as the modes take it.
 *
 * The modes (tatu/cbc.h, tatu/ctr.h, tatu/ecb.h) work with every block cipher of Tatu. They take a key context wrapped
 * as a `struct tatu_block_encrypter` or a `struct tatu_block_decrypter`, two types, so that the compiler refuses the
 * wrong direction. Each cipher's header offers a maker for each of its variants, which also checks the context's type:
 *
 *     struct tatu_aes128_small context;
 *     tatu_aes128_small_set_key(&context, key);
 *     result = tatu_cbc_encrypt(tatu_aes128_small_encrypter(&context), ...);
 *
 * The maker is inline and names one function: whatever you do not use is not linked. (The library also has it under its
 * name, for other languages.) The context must outlive the encrypter, which holds a pointer to it and no secret of its
 * own.
 *
 * MIT licence. */
#ifndef TATU_BLOCK_CIPHER_H
#define TATU_BLOCK_CIPHER_H

#include <stddef.h>
#include <stdint.h>

/* The largest block_bytes of any block cipher in Tatu. */
#define TATU_MAX_BLOCK_BYTES 16

/* One block under the key in `context`. output == input is allowed. */
typedef void tatu_block_function(const void *context, uint8_t *output, const uint8_t *input);

/* An AVR computes one block after the other, so there a function for many would only cost flash and RAM. */
#if !defined(__AVR__)
#define TATU_INTERNAL_MANY_BLOCKS
#endif

/* `blocks` blocks that lie one after the other, each for itself. output == input is allowed; otherwise they must not
 * overlap. */
typedef void tatu_blocks_function(const void *context, uint8_t *output, const uint8_t *input, size_t blocks);

/* One block, encrypted, then exclusive-ored with `addend`. output == input and output == addend are allowed. */
typedef void tatu_block_and_add_function(const void *context, uint8_t *output, const uint8_t *input,
                                         const uint8_t *addend);

/* A block cipher with its key, for encryption. Make one with the function ..._encrypter of the cipher's header. It
 * keeps a pointer to `context`, which must stay where it is as long as this is used. */
struct tatu_block_encrypter {
    tatu_block_function *encrypt;
    const void *context;
    uint8_t block_bytes;
#if defined(TATU_INTERNAL_MANY_BLOCKS)
    tatu_blocks_function *encrypt_blocks; /* the modes call it for what they have at once; NULL: one by one */
#else
    tatu_block_and_add_function *encrypt_and_add; /* CCM calls it where it can; NULL: it encrypts, then adds */
#endif
};

/* The same for decryption: from the function ..._decrypter. */
struct tatu_block_decrypter {
    tatu_block_function *decrypt;
    const void *context;
    uint8_t block_bytes;
#if defined(TATU_INTERNAL_MANY_BLOCKS)
    tatu_blocks_function *decrypt_blocks;
#endif
};

#if defined(TATU_INTERNAL_MANY_BLOCKS)
#define TATU_INTERNAL_SET_BLOCKS(cipher, member, function) (cipher).member = (function)
#define TATU_INTERNAL_SET_AND_ADD(cipher, function) (void)0
#else
#define TATU_INTERNAL_SET_BLOCKS(cipher, member, function) (void)0
#define TATU_INTERNAL_SET_AND_ADD(cipher, function) (cipher).encrypt_and_add = (function)
#endif

/* For functions that a header defines. The library has them too, for languages that link and do not compile this
 * header: src/linkable/ defines this as nothing. */
#if !defined(TATU_INTERNAL_INLINE)
#define TATU_INTERNAL_INLINE static inline
#endif

/* A key context as what it is. C++ projects may be warned of casts in the form of C. */
#if defined(__cplusplus)
#define TATU_INTERNAL_AS(type, context) static_cast<const type *>(context)
#else
#define TATU_INTERNAL_AS(type, context) ((const type *)(context))
#endif

/* For the headers of block ciphers. Defines `struct tatu_block_encrypter NAME_encrypter(const CONTEXT *)` around
 * NAME_encrypt. The block function takes `const void *` and hands the real type on: a cast of the function pointer
 * itself would be undefined behaviour (C99, 6.3.2.3 paragraph 8). */
#define TATU_INTERNAL_DEFINE_ENCRYPTER(name, context_type, bytes)        \
    TATU_INTERNAL_DEFINE_ENCRYPTER_WITH(name, context_type, bytes, NULL)

#define TATU_INTERNAL_DEFINE_DECRYPTER(name, context_type, bytes)        \
    TATU_INTERNAL_DEFINE_DECRYPTER_WITH(name, context_type, bytes, NULL)

/* The same for ciphers that also have BLOCKS_encrypt_blocks and BLOCKS_decrypt_blocks, as a rule under their own
 * name. */
#if defined(TATU_INTERNAL_MANY_BLOCKS)
#define TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(name, blocks_name, context_type, bytes)                     \
    static inline void name##_encrypt_blocks_(const void *context, uint8_t *output, const uint8_t *input, \
                                              size_t blocks)                                              \
    {                                                                                                     \
        blocks_name##_encrypt_blocks(TATU_INTERNAL_AS(context_type, context), output, input, blocks);     \
    }                                                                                                     \
    TATU_INTERNAL_DEFINE_ENCRYPTER_WITH(name, context_type, bytes, name##_encrypt_blocks_)

#define TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(name, blocks_name, context_type, bytes)                     \
    static inline void name##_decrypt_blocks_(const void *context, uint8_t *output, const uint8_t *input, \
                                              size_t blocks)                                              \
    {                                                                                                     \
        blocks_name##_decrypt_blocks(TATU_INTERNAL_AS(context_type, context), output, input, blocks);     \
    }                                                                                                     \
    TATU_INTERNAL_DEFINE_DECRYPTER_WITH(name, context_type, bytes, name##_decrypt_blocks_)
#else
#define TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(name, blocks_name, context_type, bytes) \
    TATU_INTERNAL_DEFINE_ENCRYPTER(name, context_type, bytes)
#define TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(name, blocks_name, context_type, bytes) \
    TATU_INTERNAL_DEFINE_DECRYPTER(name, context_type, bytes)
#endif

#define TATU_INTERNAL_DEFINE_ENCRYPTER_WITH(name, context_type, bytes, blocks_function)                  \
    static inline void name##_encrypt_block_(const void *context, uint8_t *output, const uint8_t *input) \
    {                                                                                                    \
        name##_encrypt(TATU_INTERNAL_AS(context_type, context), output, input);                          \
    }                                                                                                    \
    TATU_INTERNAL_INLINE struct tatu_block_encrypter name##_encrypter(const context_type *context)       \
    {                                                                                                    \
        struct tatu_block_encrypter encrypter;                                                           \
        encrypter.encrypt = name##_encrypt_block_;                                                       \
        encrypter.context = context;                                                                     \
        encrypter.block_bytes = (bytes);                                                                 \
        TATU_INTERNAL_SET_BLOCKS(encrypter, encrypt_blocks, blocks_function);                            \
        TATU_INTERNAL_SET_AND_ADD(encrypter, NULL);                                                      \
        return encrypter;                                                                                \
    }

#define TATU_INTERNAL_DEFINE_DECRYPTER_WITH(name, context_type, bytes, blocks_function)                  \
    static inline void name##_decrypt_block_(const void *context, uint8_t *output, const uint8_t *input) \
    {                                                                                                    \
        name##_decrypt(TATU_INTERNAL_AS(context_type, context), output, input);                          \
    }                                                                                                    \
    TATU_INTERNAL_INLINE struct tatu_block_decrypter name##_decrypter(const context_type *context)       \
    {                                                                                                    \
        struct tatu_block_decrypter decrypter;                                                           \
        decrypter.decrypt = name##_decrypt_block_;                                                       \
        decrypter.context = context;                                                                     \
        decrypter.block_bytes = (bytes);                                                                 \
        TATU_INTERNAL_SET_BLOCKS(decrypter, decrypt_blocks, blocks_function);                            \
        return decrypter;                                                                                \
    }

#endif
