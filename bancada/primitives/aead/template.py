"""What `bancada new candidate` writes for authenticated encryption."""

from __future__ import annotations

from bancada.primitives.primitive import Template

_ARGUMENTS = "uint8_t *output, const uint8_t *input, size_t length, const uint8_t *associated"
_ADAPTER = """\
/* Puts {name} behind the contract of authenticated encryption ({contract}).
 * All code of these functions is timed: make each one call of the library. */
#include "{header}"

typedef struct {name}_context bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{{
    {name}_set_key(context, key);
}}

static inline int bancada_aead_encrypt(bancada_aead_context *context, {arguments},
                                       size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    return {name}_encrypt(context, output, input, length, associated, associated_length, nonce, tag);
}}

static inline int bancada_aead_decrypt(bancada_aead_context *context, {arguments},
                                       size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    return {name}_decrypt(context, output, input, length, associated, associated_length, nonce, tag);
}}
""".replace("{arguments}", _ARGUMENTS)
_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

struct {name}_context {{
    uint8_t key[{key_bytes}];
}};

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}]);
/* Both return 0; decryption anything else when the tag does not hold, and then it leaves no plaintext. */
int {name}_encrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, uint8_t *tag);
int {name}_decrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, const uint8_t *tag);

#endif
""".replace("{arguments}", _ARGUMENTS)
_SOURCE = """\
#include "{name}.h"

#include <string.h>

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}])
{{
    memcpy(context->key, key, {key_bytes});
}}

/* Fill in: the message leaves as it came, with no tag. */
int {name}_encrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    (void)context, (void)associated, (void)associated_length, (void)nonce, (void)tag;
    memmove(output, input, length);
    return 0;
}}

/* Fill in: no tag holds. */
int {name}_decrypt(const struct {name}_context *context, {arguments},
                   size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    (void)context, (void)input, (void)associated, (void)associated_length, (void)nonce, (void)tag;
    memset(output, 0, length);
    return -1;
}}
""".replace("{arguments}", _ARGUMENTS)
_LIBRARY_ADAPTER = """\
// Puts {title} behind the contract of authenticated encryption ({contract}). What stands here is timed.
{includes}
{what}
typedef struct {{ uint8_t key[BANCADA_KEY_BYTES]; }} bancada_aead_context; // {context}

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{{
    memcpy(context->key, key, BANCADA_KEY_BYTES); // {set_key}
}}
static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
    size_t length, const uint8_t *associated, size_t associated_length, const uint8_t *nonce, uint8_t *tag)
{{
    return 0; // {encrypt}
}}
static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
    size_t length, const uint8_t *associated, size_t associated_length, const uint8_t *nonce, const uint8_t *tag)
{{
    return -1; // {decrypt}
}}
"""

# What the comments beside each line say. {name} is a class, or the prefix of functions.
_C_CALLS = {
    "context": "put the library's own type here",
    "set_key": "the library's call, as in {name}_set_key(context, key);",
    "encrypt": "the library's call, as in {name}_encrypt(context, output, input);",
    "decrypt": "the library's call, as in {name}_decrypt(context, output, input);",
}
_CPP_CALLS = {
    "context": "put the library's class here: typedef {name} {type};",
    "set_key": "the library's call, as in context->setKey(key, BANCADA_KEY_BYTES);",
    "encrypt": "the library's call, as in context->encryptBlock(output, input);",
    "decrypt": "the library's call, as in context->decryptBlock(output, input);",
}

TEMPLATE = Template(
    operations=("set-key", "encrypt", "decrypt"),
    context_type="bancada_aead_context",
    adapter=_ADAPTER,
    header=_HEADER,
    source=_SOURCE,
    library_adapter=_LIBRARY_ADAPTER,
    c_calls=_C_CALLS,
    cpp_calls=_CPP_CALLS,
)
