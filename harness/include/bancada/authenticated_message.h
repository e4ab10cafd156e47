/* The buffers of a message with a key, a nonce and associated data, which operations_aead.c and operations_mode.c have alike: the host
 * sends the length of the associated data in a buffer of one byte. Those of the data itself are numbered 2 to 4, as the contract needs. */
#ifndef BANCADA_AUTHENTICATED_MESSAGE_H
#define BANCADA_AUTHENTICATED_MESSAGE_H

enum {
    BUFFER_KEY = 0,
    BUFFER_NONCE = 1,
    BUFFER_ASSOCIATED = 5,
    BUFFER_ASSOCIATED_LENGTH = 6
};

#define ASSOCIATED_BYTES 40

/* In operations_buffer, of a number: the object is the buffer, whole. */
#define BUFFER_OF(object)                \
    found.bytes = (uint8_t *)&(object); \
    found.size = sizeof(object);         \
    break

#endif
