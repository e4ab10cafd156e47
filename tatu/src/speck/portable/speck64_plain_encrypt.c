#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_PLAIN_IN_PORTABLE)

#include "../speck64_internal.h"

#include "plain_encrypt.inc"

#else
typedef int tatu_internal_speck64_plain_encrypt_is_in_assembly;
#endif
