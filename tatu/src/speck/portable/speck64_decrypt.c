#include "../speck64_internal.h"

#include "decrypt.inc"
