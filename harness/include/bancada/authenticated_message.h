/* What the operations of messages with associated data have alike. The host sends the length of the associated data
 * in a buffer of one byte. */
#ifndef BANCADA_AUTHENTICATED_MESSAGE_H
#define BANCADA_AUTHENTICATED_MESSAGE_H

#define ASSOCIATED_BYTES 40

/* In operations_buffer, after `case`: the whole object is the buffer. */
#define BUFFER_OF(object)               \
    found.bytes = (uint8_t *)&(object); \
    found.size = sizeof(object);        \
    break

#endif
