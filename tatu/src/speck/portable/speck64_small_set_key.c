#include "../speck64_internal.h"

#include "small_set_key.inc"
