"""What `bancada new candidate` writes for a key exchange."""

from __future__ import annotations

from bancada.primitives.primitive import Template

_ADAPTER = """\
/* Puts {name} behind the contract of a key exchange ({contract}).
 * All code of these functions is timed: make each one call of the library. */
#include "{header}"

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{{
    return {name}_public_key(public_key, secret_key);
}}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{{
    return {name}_shared_secret(shared_secret, secret_key, peer_key);
}}
"""
_HEADER = """\
#ifndef {upper}_H
#define {upper}_H

#include <stdint.h>

/* Both return 0; the second anything else if it refuses the other end's public key. */
int {name}_public_key(uint8_t public_key[{key_bytes}], const uint8_t secret_key[{key_bytes}]);
int {name}_shared_secret(uint8_t shared_secret[{key_bytes}], const uint8_t secret_key[{key_bytes}],
                         const uint8_t peer_key[{key_bytes}]);

#endif
"""
_SOURCE = """\
#include "{name}.h"

#include <string.h>

/* Fill in: the public key is the secret key. */
int {name}_public_key(uint8_t public_key[{key_bytes}], const uint8_t secret_key[{key_bytes}])
{{
    memcpy(public_key, secret_key, {key_bytes});
    return 0;
}}

/* Fill in: the secret is zero. */
int {name}_shared_secret(uint8_t shared_secret[{key_bytes}], const uint8_t secret_key[{key_bytes}],
                         const uint8_t peer_key[{key_bytes}])
{{
    (void)secret_key;
    (void)peer_key;
    memset(shared_secret, 0, {key_bytes});
    return 0;
}}
"""
_LIBRARY_ADAPTER = """\
// Puts {title} behind the contract of a key exchange ({contract}). All code of these functions is timed.
{includes}
{what}
static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{{
    memcpy(public_key, secret_key, KEY_EXCHANGE_BYTES); // {public}
    return 0;
}}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{{
    (void)secret_key, (void)peer_key;
    memset(shared_secret, 0, KEY_EXCHANGE_BYTES); // {shared}
    return 0;
}}
"""

# What the comments beside each line say. {name} is a class, or the prefix of functions.
_C_CALLS = {
    "public": "the library's call",
    "shared": "the library's call; anything but 0 if it refuses the key",
}
_CPP_CALLS = {
    "public": "the library's call: {name}::...(public_key, secret_key)",
    "shared": "the library's call; anything but 0 if it refuses the key",
}

TEMPLATE = Template(
    operations=("public-key", "shared-secret"),
    context_type="",
    adapter=_ADAPTER,
    header=_HEADER,
    source=_SOURCE,
    library_adapter=_LIBRARY_ADAPTER,
    c_calls=_C_CALLS,
    cpp_calls=_CPP_CALLS,
)
