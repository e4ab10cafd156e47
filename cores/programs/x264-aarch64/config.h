/* What x264's configure would write of a build for 8 bits. */
#define ARCH_AARCH64 1
#define BIT_DEPTH 8
#define HIGH_BIT_DEPTH 0
#define HAVE_ARMV6 1
#define HAVE_ARMV6T2 1
#define HAVE_NEON 1
#define HAVE_AS_FUNC 0
#define SYS_LINUX 1
#define SYS_OPENBSD 0
