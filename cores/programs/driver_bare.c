/*
 * Calls one function of a program whose cycles on a microcontroller are published. It is driver.c without an operating
 * system, for QEMU's machine mps2-an386, whose processor executes what any Cortex-M0, M3 or M4 does. The laboratory ends
 * the program when it has measured.
 *
 *   DECLARATIONS  the prototypes and data (a header of the program's folder)
 *   PREPARE       statements that come before, not measured
 *   RUN           the statements that are measured
 *   BYTES         how many bytes the call handles
 */
#include <stddef.h>
#include <stdint.h>

#include DECLARATIONS

extern uint32_t stack_top[];
void reset(void);
void measured(void);

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handler[15])(void);
} vectors = {stack_top, {reset}};

__attribute__((noinline)) void measured(void)
{
    RUN;
}

void reset(void)
{
#ifdef __ARM_FP
    /* The coprocessor access control register lets a program use the floating-point unit (ARMv7-M ARM, B3.2.20). */
    *(volatile uint32_t *)0xE000ED88U |= 0xFU << 20;
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    PREPARE;
    /* Twice, as in driver.c: the second call is measured. */
    measured();
    measured();
    for (;;) {
    }
}
