/* The library asks this header of glibc for the compiler's version. Without an operating system there is none. */
#if defined(__linux__)
#include_next <features.h>
#else
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#endif
