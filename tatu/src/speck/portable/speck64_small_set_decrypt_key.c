#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_PORTABLE)

#include "../speck64_internal.h"

#include "small_set_decrypt_key.inc"

#else
typedef int tatu_internal_speck64_small_set_decrypt_key_is_in_assembly;
#endif
