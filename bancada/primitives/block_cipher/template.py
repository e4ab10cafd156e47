"""What `bancada new candidate` writes for a block cipher."""

from __future__ import annotations

from bancada.primitives.primitive import Template

_ADAPTER = """\
/* Puts {name} behind the contract of a block cipher ({contract}).
 * All code of these functions is timed: make each one call of the library. */
#include "{header}"

#define BANCADA_ONE_KEY 1 /* one key schedule serves both directions */

typedef struct {name}_context bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{{
    {name}_set_key(context, key);
}}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    {name}_encrypt(context, output, input);
}}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{{
    {name}_decrypt(context, output, input);
}}
"""
_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stdint.h>

struct {name}_context {{
    uint8_t key[{key_bytes}];
}};

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}]);
void {name}_encrypt(const struct {name}_context *context, uint8_t output[{block_bytes}], \
const uint8_t input[{block_bytes}]);
void {name}_decrypt(const struct {name}_context *context, uint8_t output[{block_bytes}], \
const uint8_t input[{block_bytes}]);

#endif
"""
_SOURCE = """\
#include "{name}.h"

#include <string.h>

void {name}_set_key(struct {name}_context *context, const uint8_t key[{key_bytes}])
{{
    memcpy(context->key, key, {key_bytes});
}}

/* Fill in: the block leaves as it came. */
void {name}_encrypt(const struct {name}_context *context, uint8_t output[{block_bytes}], \
const uint8_t input[{block_bytes}])
{{
    (void)context;
    memmove(output, input, {block_bytes});
}}

/* Fill in: the block leaves as it came. */
void {name}_decrypt(const struct {name}_context *context, uint8_t output[{block_bytes}], \
const uint8_t input[{block_bytes}])
{{
    (void)context;
    memmove(output, input, {block_bytes});
}}
"""
_LIBRARY_ADAPTER = """\
// Puts {title} behind the contract of a block cipher ({contract}). All code of these functions is timed.
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
    context_type="bancada_encrypt_context",
    adapter=_ADAPTER,
    header=_HEADER,
    source=_SOURCE,
    library_adapter=_LIBRARY_ADAPTER,
    c_calls=_C_CALLS,
    cpp_calls=_CPP_CALLS,
)
