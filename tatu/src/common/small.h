/* A function in which an operation spends little of its time. On a Cortex-M it is made small, whatever the compiler
 * optimises for. */
#ifndef TATU_COMMON_SMALL_H
#define TATU_COMMON_SMALL_H

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_SMALL __attribute__((cold))
#else
#define TATU_INTERNAL_SMALL
#endif

#endif
