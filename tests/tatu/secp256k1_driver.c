#include "secp256k1/secp256k1_curve.h"

#include "curve_driver.h"
