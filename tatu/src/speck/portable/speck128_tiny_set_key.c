#include "../speck128_internal.h"

#include "tiny_set_key.inc"
