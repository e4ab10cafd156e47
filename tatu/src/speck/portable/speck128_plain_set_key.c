#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_PORTABLE)

#include "../speck128_internal.h"

#include "plain_set_key.inc"

#else
typedef int tatu_internal_speck128_plain_set_key_is_in_assembly;
#endif
