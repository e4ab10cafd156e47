#include <tatu/p256.h>

#define CURVE(name) tatu_p256_##name

#include "curve_driver.h"
