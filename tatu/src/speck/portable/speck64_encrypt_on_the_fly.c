#include "../speck64_internal.h"

#include "encrypt_on_the_fly.inc"
