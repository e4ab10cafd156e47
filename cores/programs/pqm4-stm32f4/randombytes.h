/* The name that the schemes know. */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *to, size_t bytes);

#endif
