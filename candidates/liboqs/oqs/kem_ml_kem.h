#include <kem_ml_kem.h> /* the library's own, from its folder in the archive */
