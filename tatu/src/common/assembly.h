/* Whether an algorithm's AVR assembly serves, or its twin in C. The smallest AVRs have no JMP and CALL, or no MUL, and get the C, as
 * does who asks for it everywhere by TATU_PORTABLE. (Assembly that needs neither has a condition of its own.) */
#ifndef TATU_COMMON_ASSEMBLY_H
#define TATU_COMMON_ASSEMBLY_H

#if defined(__AVR__) && defined(__AVR_HAVE_JMP_CALL__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_AVR_ASSEMBLY
#endif

/* The same, for assembly that points into the registers: those of XMEGA and of the newest ATtiny and ATmega have no address. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY) && !defined(__AVR_XMEGA__)
#define TATU_INTERNAL_AVR_REGISTERS_IN_MEMORY
#endif

/* Whether code with NEON instructions (Advanced SIMD) serves, of AArch32 or AArch64. Arm's assembly is written for assemblers of ELF:
 * macOS and Windows get the C. */
#if defined(__ELF__) && (defined(__ARM_NEON) || defined(__ARM_NEON__)) && !defined(__ARM_BIG_ENDIAN) && !defined(__AARCH64EB__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_NEON
#endif

/* The same for 32-bit Arm, Thumb-2 or A32 of ARMv7 and later (a shifter before the second operand, words at any address), and for the
 * Thumb of ARMv6-M, which has neither. */
#if defined(__ELF__) && defined(__arm__) && !defined(__ARM_BIG_ENDIAN) && !defined(__ARMEB__) && !defined(TATU_PORTABLE)
#if defined(__ARM_ARCH) && __ARM_ARCH >= 7 && (!defined(__thumb__) || defined(__thumb2__))
#define TATU_INTERNAL_ARM_ASSEMBLY
#elif defined(__ARM_ARCH) && __ARM_ARCH >= 6 && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && !defined(__ARM_ARCH_ISA_ARM)
#define TATU_INTERNAL_THUMB1_ASSEMBLY
#endif
#endif

/* UMAAL, and UMULL in a time that does not depend on the data: not on a Cortex-M3 (its manual, DDI 0337, 18.2), which lacks the DSP
 * extension. */
#if defined(TATU_INTERNAL_ARM_ASSEMBLY) && defined(__ARM_FEATURE_DSP)
#define TATU_INTERNAL_ARM_LONG_MULTIPLICATION
#endif

/* Before an array of bytes that assembly reads and writes by words, which on some machines want an address that is a multiple of 4. */
#if defined(__GNUC__) && !defined(__AVR__)
#define TATU_INTERNAL_FOR_WORDS __attribute__((aligned(4)))
#else
#define TATU_INTERNAL_FOR_WORDS
#endif

#endif
