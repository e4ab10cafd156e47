#include "../speck128_internal.h"

#include "encrypt.inc"
