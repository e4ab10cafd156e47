/* Buffers and hexadecimal text of the test drivers. A driver reads one command a line and writes one answer a line.
 * Bytes are hexadecimal; "-" stands for no bytes.
 *
 * Every buffer is its own heap block. It is exactly as long as documented and begins at an odd address, so the
 * sanitizers see each access beside it and each access that needs alignment. */
#ifndef TATU_TESTS_DRIVER_BUFFERS_H
#define TATU_TESTS_DRIVER_BUFFERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    uint8_t *block;
    uint8_t *bytes; /* NULL if empty: a function must not use the pointer when the length is 0 */
    size_t length;
};

static inline struct buffer new_buffer(size_t length)
{
    struct buffer buffer = {malloc(length + 1), NULL, length};

    if (buffer.block == NULL) {
        exit(2);
    }
    memset(buffer.block, 0xa5, length + 1);
    if (length > 0) {
        buffer.bytes = buffer.block + 1;
    }
    return buffer;
}

static inline uint8_t hexadecimal_digit(char character)
{
    if (character >= '0' && character <= '9') {
        return (uint8_t)(character - '0');
    }
    if (character >= 'a' && character <= 'f') {
        return (uint8_t)(character - 'a' + 10);
    }
    if (character >= 'A' && character <= 'F') {
        return (uint8_t)(character - 'A' + 10);
    }
    fprintf(stderr, "not hexadecimal\n");
    exit(2);
}

static inline struct buffer from_hex(const char *text)
{
    struct buffer buffer = new_buffer(strcmp(text, "-") == 0 ? 0 : strlen(text) / 2);

    for (size_t i = 0; i < buffer.length; i++) {
        buffer.bytes[i] = (uint8_t)(hexadecimal_digit(text[2 * i]) << 4 | hexadecimal_digit(text[2 * i + 1]));
    }
    return buffer;
}

/* Without a space before it. */
static inline void print_bytes(const uint8_t *bytes, size_t length)
{
    if (length == 0) {
        printf("-");
    }
    for (size_t i = 0; i < length; i++) {
        printf("%02x", bytes[i]);
    }
}

static inline void print_hex(const struct buffer *buffer)
{
    printf(" ");
    print_bytes(buffer->bytes, buffer->length);
}

static inline int is_zero(const void *object, size_t length)
{
    const uint8_t *bytes = object;

    while (length > 0 && bytes[length - 1] == 0) {
        length--;
    }
    return length == 0;
}

#endif
