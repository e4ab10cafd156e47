/* Functions whose first instruction is reached more often than they are called: test_simavr_function.py counts their
 * cycles. Each is called three times, with r24 = 1, 2, 3, so that no two calls cost the same. */

.macro three_calls of
    ldi r24, 1
    rcall \of
    ldi r24, 2
    rcall \of
    ldi r24, 3
    rcall \of
.endm

.global main
main:
    three_calls loops
    three_calls recurses
    three_calls ends_in_tail
    ldi r24, 5
    rcall interrupted
    rcall interrupted
    ldi r24, 7
    rcall interrupted
    cli
1:  rjmp 1b

/* A loop back to the first instruction: r24 passes. */
.global loops
.type loops, @function
loops:
    dec r24
    brne loops
    ret

/* r24 passes of the first instruction, each deeper. */
.global recurses
.type recurses, @function
recurses:
    dec r24
    breq 1f
    rcall recurses
1:  ret

/* Its last call is a jump, into a function that itself ends in a jump to its first instruction. */
.global ends_in_tail
.type ends_in_tail, @function
ends_in_tail:
    nop
    rjmp tail
.global tail
.type tail, @function
tail:
    dec r24
    breq 1f
    rjmp tail
1:  ret

/* An interrupt that is pending is taken in it, and its handler runs through the first instruction too. */
.global interrupted
.type interrupted, @function
interrupted:
    cpi r24, 5
    brne 1f
    ldi r24, 6
    rcall as_an_interrupt_does
1:  ret

/* Pushes a return address, as an interrupt does, and leaves by RETI. */
as_an_interrupt_does:
    rcall interrupted
    reti
