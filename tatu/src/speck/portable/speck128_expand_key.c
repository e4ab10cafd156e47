#include "../speck128_internal.h"

#include "expand_key.inc"
