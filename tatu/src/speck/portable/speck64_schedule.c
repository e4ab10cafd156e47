#include "../speck64_internal.h"

#include "schedule.inc"
