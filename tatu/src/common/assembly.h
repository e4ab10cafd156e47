/* Which kinds of assembly the machine can run. The *_backend.h headers choose from these. TATU_PORTABLE selects C
 * everywhere.
 *
 * AVR assembly needs JMP, CALL and MUL, which the smallest AVRs do not have. Assembly that needs less has its own
 * condition in its *_backend.h. */
#ifndef TATU_COMMON_ASSEMBLY_H
#define TATU_COMMON_ASSEMBLY_H

#if defined(__AVR__) && defined(__AVR_HAVE_JMP_CALL__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_AVR_ASSEMBLY
#endif

/* The exclusive-or of strings (common/avr/xor_avr.S), and with it the inner loops of CMAC, CTR and CCM. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_XOR_IN_AVR
#endif

/* AVR assembly that addresses the registers as memory. The registers of XMEGA and of the newest ATtiny and ATmega
 * have no address. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY) && !defined(__AVR_XMEGA__)
#define TATU_INTERNAL_AVR_REGISTERS_IN_MEMORY
#endif

/* NEON (Advanced SIMD) code, for AArch32 or AArch64. The Arm assembly is written for ELF assemblers, so macOS and
 * Windows get the C. */
#if defined(__ELF__) && (defined(__ARM_NEON) || defined(__ARM_NEON__)) && !defined(__ARM_BIG_ENDIAN) && \
    !defined(__AARCH64EB__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_NEON
#endif

/* 32-bit Arm assembly. ARM_ASSEMBLY is A32 or Thumb-2 of ARMv7 and later, where the second operand can be shifted
 * and a word can have any address. THUMB1_ASSEMBLY is the Thumb of ARMv6-M, which has neither. */
#if defined(__ELF__) && defined(__arm__) && !defined(__ARM_BIG_ENDIAN) && !defined(__ARMEB__) && !defined(TATU_PORTABLE)
#if defined(__ARM_ARCH) && __ARM_ARCH >= 7 && (!defined(__thumb__) || defined(__thumb2__))
#define TATU_INTERNAL_ARM_ASSEMBLY
#elif defined(__ARM_ARCH) && __ARM_ARCH >= 6 && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && \
    !defined(__ARM_ARCH_ISA_ARM)
#define TATU_INTERNAL_THUMB1_ASSEMBLY
#endif
#endif

/* UMAAL, and UMULL whose time does not depend on its operands. A Cortex-M3 has neither: it lacks the DSP extension,
 * and its UMULL ends early (DDI 0337, section 18.2). */
#if defined(TATU_INTERNAL_ARM_ASSEMBLY) && defined(__ARM_FEATURE_DSP)
#define TATU_INTERNAL_ARM_LONG_MULTIPLICATION
#endif

/* Stands before an array of bytes that assembly reads and writes in words. Some machines need an address that is a
 * multiple of 4. */
#if defined(__GNUC__) && !defined(__AVR__)
#define TATU_INTERNAL_FOR_WORDS __attribute__((aligned(4)))
#else
#define TATU_INTERNAL_FOR_WORDS
#endif

#endif
