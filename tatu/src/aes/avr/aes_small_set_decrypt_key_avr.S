/* tatu_aes128_small_set_decrypt_key, tatu_aes192_small_set_decrypt_key, tatu_aes256_small_set_decrypt_key for AVR
 * (KeyExpansion, FIPS 197, section 5.2, of which the last 16, 24 or 32 bytes are kept). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "set_key.inc"

    .section .text.tatu_aes128_small_set_decrypt_key,"ax",@progbits
    .global tatu_aes128_small_set_decrypt_key
    .type tatu_aes128_small_set_decrypt_key, @function
tatu_aes128_small_set_decrypt_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8
    movw XL, r24
    movw ZL, r22
    load_word k0, k1, k2, k3
    load_word k4, k5, k6, k7
    load_word k8, k9, k10, k11
    load_word k12, k13, k14, k15
    ldi ZH, AES_SBOX_PAGE
    ldi rcon, 1
    rjmp .Lround128

; Rcon ends this loop as in aes128_set_key, set_key.inc.
.Lafter_round_8_9_128:
    subi k0, 0x80
    ori rcon, 0x80              ; 0x80, 0xb6
    sbrs rcon, 1
    ldi rcon, 0x9b
.Lround128:
    eor k0, rcon
    lsl rcon
    add_substituted k0, k13
    add_substituted k1, k14
    add_substituted k2, k15
    add_substituted k3, k12
    add_word k4, k5, k6, k7, k0, k1, k2, k3
    add_word k8, k9, k10, k11, k4, k5, k6, k7
    add_word k12, k13, k14, k15, k8, k9, k10, k11
    brcc .Lround128
    cpi rcon, 0x6c
    brne .Lafter_round_8_9_128

    store_word k0, k1, k2, k3
    store_word k4, k5, k6, k7
    store_word k8, k9, k10, k11
    store_word k12, k13, k14, k15
    pop_registers r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    .cfi_endproc
    .size tatu_aes128_small_set_decrypt_key, . - tatu_aes128_small_set_decrypt_key

; The eighth round sets the carry and makes only four words.
    .section .text.tatu_aes192_small_set_decrypt_key,"ax",@progbits
    .global tatu_aes192_small_set_decrypt_key
    .type tatu_aes192_small_set_decrypt_key, @function
tatu_aes192_small_set_decrypt_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16
    movw XL, r24
    movw ZL, r22
    load_word k0, k1, k2, k3
    load_word k4, k5, k6, k7
    load_word k8, k9, k10, k11
    load_word k12, k13, k14, k15
    load_word k16, k17, k18, k19
    load_word k20, k21, k22, k23
    ldi ZH, AES_SBOX_PAGE
    ldi rcon, 1
.Lround192:
    eor k0, rcon
    lsl rcon
    add_substituted k0, k21
    add_substituted k1, k22
    add_substituted k2, k23
    add_substituted k3, k20
    add_word k4, k5, k6, k7, k0, k1, k2, k3
    add_word k8, k9, k10, k11, k4, k5, k6, k7
    add_word k12, k13, k14, k15, k8, k9, k10, k11
    brcs .Ldone192
    add_word k16, k17, k18, k19, k12, k13, k14, k15
    add_word k20, k21, k22, k23, k16, k17, k18, k19
    rjmp .Lround192

.Ldone192:
    store_word k16, k17, k18, k19
    store_word k20, k21, k22, k23
    store_word k0, k1, k2, k3
    store_word k4, k5, k6, k7
    store_word k8, k9, k10, k11
    store_word k12, k13, k14, k15
    pop_registers r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    .cfi_endproc
    .size tatu_aes192_small_set_decrypt_key, . - tatu_aes192_small_set_decrypt_key

; Bytes 20 to 23 and 28 of the 32 are in the context, where they will stay: its second half comes first.
    .section .text.tatu_aes256_small_set_decrypt_key,"ax",@progbits
    .global tatu_aes256_small_set_decrypt_key
    .type tatu_aes256_small_set_decrypt_key, @function
tatu_aes256_small_set_decrypt_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    movw YL, r24
    movw ZL, r22
    load_word k0, k1, k2, k3
    load_word k4, k5, k6, k7
    load_word k8, k9, k10, k11
    load_word k12, k13, k14, k15
    load_word k16, k17, k18, k19
    ld r27, Z+
    std Y+4, r27
    ld r27, Z+
    std Y+5, r27
    ld r27, Z+
    std Y+6, r27
    ld r27, Z+
    std Y+7, r27
    load_word k24, k25, k26, k27
    ld r27, Z+
    std Y+12, r27
    ld k29, Z+
    ld k30, Z+
    ld k31, Z+
    ldi ZH, AES_SBOX_PAGE
    ldi rcon, 1
.Lround256:
    eor k0, rcon
    add_substituted k0, k29
    add_substituted k1, k30
    add_substituted k2, k31
    ldd ZL, Y+12
    add_substituted_index k3
    add_word k4, k5, k6, k7, k0, k1, k2, k3
    add_word k8, k9, k10, k11, k4, k5, k6, k7
    add_word k12, k13, k14, k15, k8, k9, k10, k11
    lsl rcon
    brmi .Ldone256              ; the seventh and last
    add_substituted k16, k12
    add_substituted k17, k13
    add_substituted k18, k14
    add_substituted k19, k15
    ldd ZL, Y+4
    eor ZL, k16
    std Y+4, ZL
    eor k24, ZL
    ldd ZL, Y+5
    eor ZL, k17
    std Y+5, ZL
    eor k25, ZL
    ldd ZL, Y+6
    eor ZL, k18
    std Y+6, ZL
    eor k26, ZL
    ldd ZL, Y+7
    eor ZL, k19
    std Y+7, ZL
    eor k27, ZL
    ldd ZL, Y+12
    eor ZL, k24
    std Y+12, ZL
    eor k29, k25
    eor k30, k26
    eor k31, k27
    rjmp .Lround256

.Ldone256:
    store_word_at 0, k16, k17, k18, k19
    store_word_at 8, k24, k25, k26, k27
    std Y+13, k29
    std Y+14, k30
    std Y+15, k31
    store_word_at 16, k0, k1, k2, k3
    store_word_at 20, k4, k5, k6, k7
    store_word_at 24, k8, k9, k10, k11
    store_word_at 28, k12, k13, k14, k15
    pop_registers YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    movw r26, r0
    ret
    .cfi_endproc
    .size tatu_aes256_small_set_decrypt_key, . - tatu_aes256_small_set_decrypt_key

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
