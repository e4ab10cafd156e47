/* What FFmpeg's configuration would tell its assembly files: a linker for Linux, GNU's assembler, NEON. */
#define CONFIG_PIC 0
#define CONFIG_THUMB 0
#define EXTERN_ASM
#define HAVE_ARMV5TE 1
#define HAVE_ARMV6 1
#define HAVE_ARMV6T2 1
#define HAVE_ARMV6T2_EXTERNAL 1
#define HAVE_AS_ARCH_DIRECTIVE 1
#define HAVE_AS_FPU_DIRECTIVE 1
#define HAVE_AS_FUNC 0
#define HAVE_AS_OBJECT_ARCH 0
#define HAVE_NEON 1
#define HAVE_SECTION_DATA_REL_RO 1
#define HAVE_VFP 1
#define HAVE_VFP_ARGS 1
