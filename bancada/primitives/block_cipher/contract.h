/* The contract of the primitive "block-cipher", and of the CBC mode that comes with one.
 *
 * A candidate's adapter is a header of at most about twenty lines. The harness includes it once, with these macros set:
 *
 *   BANCADA_KEY_BITS, BANCADA_KEY_BYTES, BANCADA_BLOCK_BYTES   and the `defines` of candidate.toml
 *
 * The adapter defines two context types and four inline functions. Each function is one call of the library, because
 * all of its code is timed: the compiler puts it inline between two markers.
 *
 *   typedef ... bancada_encrypt_context;
 *   typedef ... bancada_decrypt_context;
 *   static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key);
 *   static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input);
 *   static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key);
 *   static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input);
 *
 * and may define, as macros:
 *
 *   BANCADA_IN_PLACE 1   the library works in place: it is called with output == input, copied outside the timed region
 *   BANCADA_ONE_KEY 1    one key schedule serves both directions: bancada_decrypt takes the context that
 *                        bancada_set_encrypt_key made, and the decrypt context and its set-key are not defined
 *
 *   BANCADA_ECB 1        the library takes many blocks in one call and encrypts each alone; the adapter then also
 *                        defines bancada_ecb_encrypt and bancada_ecb_decrypt, as the two above with one more argument,
 *                        size_t length. Without it, the harness calls the functions for one block in a loop
 *
 * The build adds BANCADA_WITH_DECRYPT if candidate.toml lists the operation, and for CBC one of
 *
 *   BANCADA_CBC_CALLER: the caller gives the IV of 16 bytes; `length` is a multiple of the block
 *   static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
 *                                          const uint8_t *input, size_t length);
 *   static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, ...the same);
 *
 *   BANCADA_CBC_LIBRARY: the library makes the IV and writes it in front of the ciphertext; 0 on success.
 *   Its entropy function is `bancada_entropy` (below). It gives the bytes that the host wrote, so that official vectors
 *   with a fixed IV can run, or those of `bancada_device_entropy`, the candidate's own source, which is in a file that
 *   `monitor_sources` names.
 *   static inline int bancada_cbc_encrypt_fresh(bancada_encrypt_context *context, uint8_t *output,
 *                                               const uint8_t *input, size_t length);
 *   static inline int bancada_cbc_decrypt_fresh(bancada_decrypt_context *context, uint8_t *output,
 *                                               const uint8_t *iv_and_input, size_t length_without_iv);
 */
#ifndef BANCADA_BLOCK_CIPHER_H
#define BANCADA_BLOCK_CIPHER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes for the next IV. `state` is ignored. Returns 0, or a negative number if the source fails. Declared always,
 * because an adapter defines its CBC functions in firmware that does not decrypt too; there they are not called. */
#if defined(__cplusplus)
extern "C" {
#endif
int bancada_entropy(void *state, uint8_t *output, size_t length);
#if defined(__cplusplus)
}
#endif

#include BANCADA_ADAPTER

#if defined(BANCADA_ONE_KEY)
typedef bancada_encrypt_context bancada_decrypt_context;
#endif

#endif
