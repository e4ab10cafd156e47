#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_PORTABLE)

#include "../speck128_internal.h"

#include "tiny_encrypt.inc"

#else
typedef int tatu_internal_speck128_tiny_encrypt_is_in_assembly;
#endif
