#include "../speck64_internal.h"

#include "tiny_set_key.inc"
