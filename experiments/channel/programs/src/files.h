/* Messages, keys and stored copies. */
#ifndef CHANNEL_FILES_H
#define CHANNEL_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "problem.h"

#define LONGEST_KEY_BYTES 32

/* The whole file in memory of its own (free it); it must not be empty nor longer than `largest_bytes`. */
int file_read(uint8_t **bytes, size_t *length, const char *path, size_t largest_bytes, struct problem *problem);

/* The file whole or not at all: written beside its place and renamed. */
int file_store(const char *path, const uint8_t *bytes, size_t length, struct problem *problem);

/* A key of exactly `key_bytes`, in hexadecimal. */
int key_read(uint8_t key[LONGEST_KEY_BYTES], size_t key_bytes, const char *path, struct problem *problem);

#endif
