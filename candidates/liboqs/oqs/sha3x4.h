#include <sha3x4.h> /* the library's own, from its folder in the archive */
