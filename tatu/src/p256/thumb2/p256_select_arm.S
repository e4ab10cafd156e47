#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define CURVE(name) tatu_internal_p256_##name

#include "../../weierstrass/thumb2/select_arm.inc"

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
