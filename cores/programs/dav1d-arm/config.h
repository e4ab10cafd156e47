/* What dav1d's configuration would tell its assembly files and its tables. */
#if defined(__aarch64__)
#define ARCH_AARCH64 1
#define ARCH_ARM 0
#else
#define ARCH_AARCH64 0
#define ARCH_ARM 1
#endif
#define ARCH_X86 0
#define ARCH_X86_32 0
#define ARCH_X86_64 0
#define ARCH_PPC64LE 0
#define CONFIG_8BPC 1
#define CONFIG_16BPC 1
#define CONFIG_LOG 0
#define ENDIANNESS_BIG 0
#define HAVE_ASM 1
#define HAVE_AS_FUNC 0
#define PRIVATE_PREFIX dav1d_
