#include "../libgcrypt-arm/config.h"
