#include "../dav1d-arm/config.h"
