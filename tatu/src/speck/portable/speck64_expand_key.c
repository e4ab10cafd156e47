#include "../speck64_internal.h"

#include "expand_key.inc"
