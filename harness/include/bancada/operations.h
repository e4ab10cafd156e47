/* What a primitive offers the monitor: buffers that the host fills and reads, and operations that it calls. Each
 * primitive has one file operations.c that defines these functions. The numbers of its operations and buffers come
 * from its PRIMITIVE as flags of the compiler: -DBANCADA_OPERATION_<NAME>=n, -DBANCADA_BUFFER_<NAME>=n. */
#ifndef BANCADA_OPERATIONS_H
#define BANCADA_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* A buffer of the device by its number; NULL if there is none. */
struct buffer {
    uint8_t *bytes;
    size_t size;
};
struct buffer operations_buffer(uint8_t number);

/* The operation that every primitive has: a timed region in which nothing is called. */
#define OPERATION_EMPTY 0

/* The number of a buffer of one byte that every primitive has: 1 while no call has written beyond its context or its
 * output (guard.h), 0 ever after. */
#define BUFFER_GUARDS 15

/* Puts the guard bytes in place; called once, at start. */
void operations_guard(void);

/* Prepares what the timed call must find (copies for libraries that work in place), outside the region. */
void operations_prepare(uint8_t operation, size_t length);

/* Calls the operation once inside a region. Returns what the library returned, 0 where it returns nothing. */
int8_t operations_call(uint8_t operation, size_t length);

/* The step between two calls of a chain: feeds the result of the last call to the next one as the Monte-Carlo tests of
 * AESAVS 6.4 do. `chain` 0 leaves everything as it is. */
void operations_chain(uint8_t chain);

/* Nonzero if this firmware has the operation. */
uint8_t operations_known(uint8_t operation);

/* Facts for the monitor's identify command. */
struct operations_facts {
    uint8_t block_bytes;
    uint16_t key_bytes;
    size_t encrypt_context_bytes;
    size_t decrypt_context_bytes;
};
struct operations_facts operations_facts(void);

#if defined(__cplusplus)
}
#endif

#endif
