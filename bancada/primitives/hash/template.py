"""What `bancada new candidate` writes for a hash."""

from __future__ import annotations

from bancada.primitives.primitive import Template

_ADAPTER = """\
/* Puts {name} behind the contract of a hash ({contract}).
 * All code of this function is timed: put only the library's calls into it. */
#include "{header}"

#define BANCADA_ONE_SHOT 1 /* the caller keeps no context */
typedef bancada_no_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{{
    (void)context;
    {name}_hash(digest, message, length);
}}
"""
_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

void {name}_hash(uint8_t digest[{digest_bytes}], const uint8_t *message, size_t length);

#endif
"""
_SOURCE = """\
#include "{name}.h"

#include <string.h>

/* Fill in: the digest is zero. */
void {name}_hash(uint8_t digest[{digest_bytes}], const uint8_t *message, size_t length)
{{
    (void)message;
    (void)length;
    memset(digest, 0, {digest_bytes});
}}
"""
_LIBRARY_ADAPTER = """\
// Puts {title} behind the contract of a hash ({contract}). All code of this function is timed.
{includes}
{what}
typedef struct {{ uint8_t state[BANCADA_DIGEST_BYTES]; }} bancada_hash_context; // {context}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{{
    memset(digest, 0, BANCADA_DIGEST_BYTES); // {hash}
}}
"""

# What the comments beside each line say. {name} is a class, or the prefix of functions.
_C_CALLS = {
    "context": "put the library's own type here",
    "hash": "the library's calls",
}
_CPP_CALLS = {
    "context": "put the library's class here: typedef {name} {type};",
    "hash": "the library's calls: context->reset(), update(message, length), finalize(digest)",
}

TEMPLATE = Template(
    operations=("hash",),
    context_type="bancada_hash_context",
    adapter=_ADAPTER,
    header=_HEADER,
    source=_SOURCE,
    library_adapter=_LIBRARY_ADAPTER,
    c_calls=_C_CALLS,
    cpp_calls=_CPP_CALLS,
)
