#include "../speck128_internal.h"

#include "small_set_key.inc"
