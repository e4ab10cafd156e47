/* What runs first after a reset, and again after an update. Interrupts are never on. No RAM is cleared, because the
 * bootloader reads nothing that it has not written. The flags of MCUSR stay for the program, which tells the server why
 * it was reset. A watchdog that caused the reset runs on while WDRF is set (ATmega328P data sheet, "WDTCSR"), so it is
 * set to 8 s and fed: should the bootloader hang, or the computer be gone in the middle of an update, it starts anew.
 * MIT licence. */
#include <avr/io.h>

#define WATCHDOG_CHANGE (1 << WDCE | 1 << WDE)
#define WATCHDOG_8_S    (1 << WDE | 1 << WDP3 | 1 << WDP0)

    .section .vectors, "ax", @progbits
    .global __vectors
__vectors:
    cli
    clr r1
    out _SFR_IO_ADDR(SREG), r1
    ldi r28, lo8(RAMEND)
    ldi r29, hi8(RAMEND)
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SPL), r28
    ldi r24, WATCHDOG_CHANGE
    ldi r25, WATCHDOG_8_S
    sts WDTCSR, r24
    sts WDTCSR, r25
    wdr
    rjmp main
