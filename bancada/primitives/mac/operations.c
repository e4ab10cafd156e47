/* A MAC is called as a hash whose context holds a key. */
#define BANCADA_OPERATION_HASH BANCADA_OPERATION_MAC

#include "hash/operations.c"
