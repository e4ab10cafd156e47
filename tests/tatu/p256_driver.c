#include "p256/p256_curve.h"

#include "curve_driver.h"
