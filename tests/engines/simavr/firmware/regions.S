/* Regions whose figures are known by counting: test_simavr_regions.py holds them, in this order. */
#include "markers.h"

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

.global main
main:
    load_markers

    /* 0: no call */
    region_begins
    nop
    nop
    nop
    region_ends

    /* 1: a call, with something before and after it */
    region_begins
    ldi r24, 1
    call returns
    mov r25, r24
    nop
    region_ends

    /* 2: nested calls that push */
    region_begins
    call outer
    region_ends

    /* 3: two calls, two instructions between them and one at either end */
    region_begins
    nop
    rcall returns
    nop
    nop
    call returns
    nop
    region_ends

    /* 4: pushes, no call */
    region_begins
    push r16
    push r16
    push r16
    pop r16
    pop r16
    pop r16
    region_ends

    /* 5: a frame taken across a page of the stack: between the two OUTs, SP is 256 too low */
    ldi r24, 0x08
    ldi r25, 0x08
    out SPH, r25
    out SPL, r24
    region_begins
    call takes_frame
    region_ends

    /* 6: RCALL .+0 takes stack, and is no call; what follows is one */
    region_begins
    rcall .+0
    pop r24
    pop r24
    call returns
    region_ends

    /* 7: arguments on the stack before the call */
    region_begins
    push r16
    push r17
    call returns
    pop r17
    pop r16
    region_ends

    /* 8: calls through a pointer */
    ldi r30, pm_lo8(returns)
    ldi r31, pm_hi8(returns)
    region_begins
    icall
    region_ends

    /* 9: one or more of each kind of instruction */
    ldi r26, 0x00
    ldi r27, 0x02
    region_begins
    add r16, r17      /* arithmetic: 3 */
    mov r16, r17
    adiw r24, 1
    mul r16, r17      /* multiply: 1 */
    ld r16, X         /* load: 3 */
    push r16          /* store: 2 */
    pop r16
    lds r16, 0x0200
    st X, r16
    lpm r16, Z        /* lpm: 1 */
    rjmp 1f           /* branch: 3 */
1:  sbrs r20, 1       /* the markers' registers: 1 and 2, so nothing is skipped */
    cpse r20, r21
    in r24, SREG      /* io: 2 */
    out SREG, r24
    wdr               /* other: 2 */
    nop
    call returns      /* call-return: 2 */
    region_ends

    halt

returns:
    ret

outer:
    push r16
    push r16
    rcall inner
    pop r16
    pop r16
    ret

inner:
    push r16
    push r16
    push r16
    nop
    pop r16
    pop r16
    pop r16
    ret

/* As avr-gcc takes and gives back a frame. */
takes_frame:
    push r28
    push r29
    in r28, SPL
    in r29, SPH
    sbiw r28, 16
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
    adiw r28, 16
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
    pop r29
    pop r28
    ret
