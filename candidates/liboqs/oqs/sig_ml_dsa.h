#include <sig_ml_dsa.h> /* the library's own, from its folder in the archive */
