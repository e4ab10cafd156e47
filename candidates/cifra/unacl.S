/* uNaCl's assembly, only where it can run. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "arm/unacl/cortex_m0_mpy121666.s"
#include "arm/unacl/cortex_m0_reduce25519.s"
#include "arm/unacl/mul.s"
#include "arm/unacl/sqr.s"
#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
