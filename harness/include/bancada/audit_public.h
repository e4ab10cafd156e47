/* In front of every file that is compiled for an audit on the host, if the candidate's audit.toml has `made_public_by`:
 * its C calls this function for a value that is public although it was made of secrets. */
#ifndef BANCADA_AUDIT_PUBLIC_H
#define BANCADA_AUDIT_PUBLIC_H

#if !defined(__ASSEMBLER__)
#include <stddef.h>

#include <valgrind/memcheck.h>

static inline void audit_make_public(void *address, size_t length)
{
    VALGRIND_MAKE_MEM_DEFINED(address, length);
}
#endif

#endif
