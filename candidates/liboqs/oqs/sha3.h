#include <sha3.h> /* the library's own, from its folder in the archive */
