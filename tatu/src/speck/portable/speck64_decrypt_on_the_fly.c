#include "../speck64_internal.h"

#include "decrypt_on_the_fly.inc"
