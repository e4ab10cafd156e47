/* Functions without markers: test_simavr_function.py counts their cycles. */

.global main
main:
    call leaf
    rcall recursive_from_two
    call jumped_to_by
    ldi r30, pm_lo8(leaf)
    ldi r31, pm_hi8(leaf)
    icall
    call leaf
    cli
1:  rjmp 1b

.global leaf
.type leaf, @function
leaf:
    push r16
    pop r16
    ret

/* Calls itself: what runs inside the first call is part of it. */
recursive_from_two:
    ldi r24, 2
.global recursive
.type recursive, @function
recursive:
    dec r24
    breq 1f
    rcall recursive
1:  ret

.global jumped_to_by
.type jumped_to_by, @function
jumped_to_by:
    nop
    rjmp end_of_chain

/* Reached by a jump, calls something, and returns to its caller's caller. */
.global end_of_chain
.type end_of_chain, @function
end_of_chain:
    rcall leaf
    nop
    ret
