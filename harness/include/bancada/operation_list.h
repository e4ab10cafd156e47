/* What every primitive does alike whose operations are one call each: a file operations.c that lists them includes this
 * header behind its list,
 *
 *     #define OPERATIONS(X)                                                        \
 *         X(BANCADA_OPERATION_SIGN, status = bancada_sign(&context, signature, digest))
 *
 * The statement is what is timed. It may set `status`, which is 0 if all is well, and read `length`. An operation that
 * is done when it is prepared, and has nothing to time, is in another list, OPERATIONS_WHEN_PREPARED(X). */
#ifndef BANCADA_OPERATION_LIST_H
#define BANCADA_OPERATION_LIST_H

#include "bancada/device.h"
#include "bancada/operations.h"

#if !defined(OPERATIONS_WHEN_PREPARED)
#define OPERATIONS_WHEN_PREPARED(X)
#endif

#define OPERATION_IS_KNOWN(number, statement) case number:

uint8_t operations_known(uint8_t operation)
{
    switch (operation) {
    case OPERATION_EMPTY:
        OPERATIONS(OPERATION_IS_KNOWN)
        OPERATIONS_WHEN_PREPARED(OPERATION_IS_KNOWN)
        return 1;
    default:
        return 0;
    }
}

#define OPERATION_IS_CALLED(number, statement) \
    case number:                               \
        DEVICE_REGION_BEGIN();                 \
        statement;                             \
        DEVICE_REGION_END();                   \
        break;

int8_t operations_call(uint8_t operation, size_t length)
{
    int status = 0;
    (void)length;
    switch (operation) {
    case OPERATION_EMPTY:
        DEVICE_REGION_BEGIN();
        DEVICE_REGION_END();
        break;
        OPERATIONS(OPERATION_IS_CALLED)
    default:
        break;
    }
    return (int8_t)(status == 0 ? 0 : -1);
}

/* No Monte-Carlo test has chains of them. */
void operations_chain(uint8_t chain)
{
    (void)chain;
}

#endif
