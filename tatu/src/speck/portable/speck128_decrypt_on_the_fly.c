#include "../speck128_internal.h"

#include "decrypt_on_the_fly.inc"
