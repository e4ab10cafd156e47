#include <tatu/secp256k1.h>

#define CURVE(name) tatu_secp256k1_##name

#include "curve_driver.h"
