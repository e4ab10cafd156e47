/* What the library's own header of this name includes, without what is not compiled here. */
#include <oqs/common.h>
#include <oqs/kem.h>
#include <oqs/rand.h>
#include <oqs/sha3_ops.h>
#include <oqs/sha3x4_ops.h>
#include <oqs/sig.h>
