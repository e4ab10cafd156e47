/* How messages are protected: one library's mode with one key size. Each is a copy of protection.c around an adapter of
 * candidates/, the same that is measured on the devices. */
#ifndef CHANNEL_PROTECTION_H
#define CHANNEL_PROTECTION_H

#include <stddef.h>
#include <stdint.h>

/* The contract of bancada/primitives/mode/contract.h. */
typedef int protection_function(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                const uint8_t *associated, size_t associated_length, const uint8_t *key);

struct protection {
    const char *name;
    uint8_t mode; /* enum frame_mode */
    uint8_t key_bytes;
    uint8_t nonce_bytes;
    uint8_t tag_bytes;
    protection_function *encrypt;
    protection_function *decrypt;
};

/* NULL if there is none of that name. */
const struct protection *protection_named(const char *name);

/* All names, separated by spaces, for messages to the user. */
const char *protection_names(void);

/* Room for a message of `length` bytes, or for what is sent of it. */
size_t protection_room(size_t length);

#endif
