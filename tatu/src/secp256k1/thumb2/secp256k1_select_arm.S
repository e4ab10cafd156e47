#include "../secp256k1_backend.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define CURVE(name) tatu_internal_secp256k1_##name

#include "../../weierstrass/thumb2/select_arm.inc"

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
