#include "../speck128_internal.h"

#include "last_key.inc"
