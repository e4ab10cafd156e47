/* The images of a keystream are those of a hash whose context holds a key. */
#define BANCADA_IMAGE_HASH BANCADA_IMAGE_KEYSTREAM

#include "hash/size.c"
