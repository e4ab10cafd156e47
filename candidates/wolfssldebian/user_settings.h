/* The settings that the library was compiled with, as the package states them. */
#include <wolfssl/options.h>
