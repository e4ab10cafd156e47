#include "../ffmpeg-arm/config.h"
