#include "../speck128_internal.h"

#include "schedule.inc"
