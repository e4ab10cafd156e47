/* A block of a keystream is called as a hash whose context holds a key: its message is the counter and nonce, its
 * digest the block. */
#define BANCADA_OPERATION_HASH BANCADA_OPERATION_KEYSTREAM
#define BANCADA_BUFFER_MESSAGE BANCADA_BUFFER_START
#define BANCADA_BUFFER_DIGEST BANCADA_BUFFER_BLOCK

#include "hash/operations.c"
