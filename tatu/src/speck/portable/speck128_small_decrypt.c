#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_PORTABLE)

#include "../speck128_internal.h"

#include "small_decrypt.inc"

#else
typedef int tatu_internal_speck128_small_decrypt_is_in_assembly;
#endif
