#include "../speck64_internal.h"

#include "encrypt.inc"
