/* From reset to main on a Cortex-M: the vectors, and the memory that a C program expects (link/cortex_m.ld). */
#include <stdint.h>

extern uint32_t link_data_load[], link_data[], link_data_end[], link_bss[], link_bss_end[], link_stack[];

int main(void);

#if defined(STARTUP_CONSTRUCTORS)
extern void (*const link_constructors[])(void), (*const link_constructors_end[])(void); /* link/constructors.ld */
#endif

void startup_reset(void)
{
    const uint32_t *from = link_data_load;
    for (uint32_t *to = link_data; to < link_data_end;) {
        *to++ = *from++;
    }
    for (uint32_t *to = link_bss; to < link_bss_end;) {
        *to++ = 0;
    }
#if defined(STARTUP_CONSTRUCTORS)
    for (void (*const *construct)(void) = link_constructors; construct < link_constructors_end;) {
        (*construct++)();
    }
#endif
    (void)main();
    for (;;) {
    }
}

/* No exception has a handler: where one points there is no memory, so that the processor locks up at the instruction
 * that caused it, and an emulator says so (Armv7-M Architecture Reference Manual, B1.5.15). */
#define NOWHERE 0xdffffff1UL

#define SYSTEM_EXCEPTIONS 16

__attribute__((used, section(".vectors")))
const uintptr_t startup_vectors[SYSTEM_EXCEPTIONS] = {(uintptr_t)link_stack,
                                                      (uintptr_t)startup_reset,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE,
                                                      NOWHERE};
