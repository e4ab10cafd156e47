/* The images of a MAC are those of a hash whose context holds a key. */
#define BANCADA_IMAGE_HASH BANCADA_IMAGE_MAC

#include "hash/size.c"
