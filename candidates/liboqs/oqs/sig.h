#include <sig.h> /* the library's own, from its folder in the archive */
