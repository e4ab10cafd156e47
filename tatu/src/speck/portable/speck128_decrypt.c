#include "../speck128_internal.h"

#include "decrypt.inc"
