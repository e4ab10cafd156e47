#include <sha3x4_ops.h> /* the library's own, from its folder in the archive */
