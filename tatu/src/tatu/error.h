/* Tatu: what functions that can fail return.
 *
 * Most functions of Tatu cannot fail and return void. Those that can return `int`: TATU_OK (0), or one of the
 * negative codes below. The compiler warns when the result is ignored (TATU_MUST_CHECK), because a failure that
 * nobody sees is how a message goes out unencrypted. On failure every output buffer is zeroed, so that not even a
 * caller who ignores the warning sends a plaintext or uses a half-made one.
 *
 * MIT licence. */
#ifndef TATU_ERROR_H
#define TATU_ERROR_H

/* The function did what it says. */
#define TATU_OK 0

/* A length that the function cannot take: not a multiple of the block, or too long. Nothing was processed. */
#define TATU_ERR_LENGTH (-1)

/* The entropy function failed, or the entropy source's health tests did. Nothing was encrypted. */
#define TATU_ERR_ENTROPY (-2)

/* This context has done as much as is safe with its key or seed. Set a new key, or reseed. */
#define TATU_ERR_EXHAUSTED (-3)

/* The authentication tag does not match: the message, the associated data, the nonce or the key is not the one
 * that was sealed. There is no plaintext. */
#define TATU_ERR_AUTHENTICATION (-4)

/* The functions were called in a wrong order: for example, a message was ended twice, or never begun. */
#define TATU_ERR_STATE (-5)

/* A public key that must not be used: whoever sent it would know the result. */
#define TATU_ERR_KEY (-6)

/* In front of a function whose result must be looked at: compilers warn where it is not. */
#if defined(__GNUC__)
#define TATU_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TATU_MUST_CHECK
#endif

#endif
