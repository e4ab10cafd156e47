#include "../speck128_internal.h"

#include "encrypt_on_the_fly.inc"
