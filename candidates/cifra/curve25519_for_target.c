/* cifra's X25519 as its header says: the code of uNaCl on a Cortex-M0, M3 and M4, TweetNaCl's elsewhere. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define CORTEX_M0
#endif
#include "curve25519.c"
