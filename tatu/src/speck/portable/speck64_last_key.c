#include "../speck64_internal.h"

#include "last_key.inc"
