#include <sha3_ops.h> /* the library's own, from its folder in the archive */
