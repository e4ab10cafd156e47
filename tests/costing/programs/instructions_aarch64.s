// One instruction a line, for the test that holds the decoder against a processor emulator.
add x0, x1, x2
add w0, w1, #3
adds x0, x1, x2, lsl #3
adc x0, x1, x2
adcs x3, x4, x5
sub x0, x1, w2, uxtw #2
subs w0, w1, w2
sbcs x6, x7, x8
and x0, x1, x2, ror #7
ands w0, w1, w2
orr x0, x1, x2
eor w9, w10, w11, ror #25
bic x12, x1, x2
eon x0, x1, x2
mvn x0, x1
neg x0, x1
mov x0, x1
movz x0, #0x1234
movk x0, #0x1234, lsl #16
adr x0, .
lsl x0, x1, #3
lsr w0, w1, w2
ror x0, x1, #14
extr x0, x1, x2, #3
cmp x0, x1
cmn w0, w1
tst x0, x1
ccmp x0, x1, #4, ne
csel x0, x1, x2, hi
cset w0, lo
csinc x0, x1, x2, eq
ubfx x0, x1, #3, #5
bfi x0, x1, #3, #5
bfxil x0, x1, #3, #5
sxtw x0, w1
uxtb w0, w1
rev x0, x1
rev32 x0, x1
clz x0, x1
mul x0, x1, x2
madd x0, x1, x2, x3
msub w0, w1, w2, w3
umulh x0, x1, x2
umull x0, w1, w2
umaddl x0, w1, w2, x3
smulh x0, x1, x2
ldr x0, [x1]
ldr w0, [x1, #8]!
ldr x0, [x1], #8
ldrb w0, [x1, #3]
ldrsw x0, [x1, #4]
ldp x0, x1, [x2, #16]
ldp x4, x5, [x2], #16
str x0, [x1]
str w0, [x1, #8]!
stp x0, x1, [x2, #16]!
b .+16
b.ne .+16
bl .+16
cbz x3, .+16
cbnz w3, .+16
tbz x3, #5, .+16
br x3
blr x4
ret
add v0.4s, v1.4s, v2.4s
sub v0.2d, v1.2d, v2.2d
eor v0.16b, v1.16b, v2.16b
and v0.8b, v1.8b, v2.8b
orr v4.16b, v5.16b, v6.16b
bic v0.16b, v1.16b, v2.16b
bic v0.4s, #0xfc, lsl #24
not v0.16b, v1.16b
mov v0.16b, v1.16b
bsl v0.16b, v1.16b, v2.16b
bit v0.16b, v1.16b, v2.16b
cmhi v0.16b, v1.16b, v2.16b
orr v0.4s, #0x3f
shl v0.4s, v1.4s, #3
ushr v0.2d, v1.2d, #26
sli v0.4s, v1.4s, #25
sri v0.2d, v1.2d, #3
usra v0.2d, v1.2d, #26
ushl v0.4s, v1.4s, v2.4s
shrn v0.2s, v1.2d, #6
shrn2 v0.4s, v1.2d, #6
xtn v0.2s, v1.2d
xtn2 v0.4s, v1.2d
ushll v0.2d, v1.2s, #0
uaddl v0.2d, v1.2s, v2.2s
uadalp v0.8h, v1.16b
cnt v0.16b, v1.16b
addv b0, v1.16b
mul v0.4s, v1.4s, v2.4s
mla v0.4s, v1.4s, v2.4s
umull v0.2d, v1.2s, v2.2s
umlal v0.2d, v1.2s, v2.2s
umlal2 v0.2d, v1.4s, v2.4s
umull v0.2d, v1.2s, v2.s[1]
umlal v0.2d, v1.2s, v2.s[3]
pmull v0.8h, v1.8b, v2.8b
ext v0.16b, v1.16b, v2.16b, #3
rev32 v0.8h, v1.8h
zip1 v0.4s, v1.4s, v2.4s
trn2 v0.2d, v1.2d, v2.2d
uzp1 v0.4s, v1.4s, v2.4s
tbl v0.16b, {v1.16b}, v2.16b
tbl v0.16b, {v1.16b, v2.16b}, v3.16b
tbx v0.16b, {v1.16b}, v2.16b
dup v0.4s, v1.s[1]
dup v0.2d, x1
mov v0.s[1], w1
mov v0.d[1], v1.d[0]
umov w0, v1.b[3]
fmov d0, x1
fmov x0, d1
movi v0.16b, #0x55
fadd d0, d1, d2
fmul s0, s1, s2
fmadd d0, d1, d2, d3
fmla v0.4s, v1.4s, v2.4s
fcmp d0, d1
scvtf d0, x1
ldr q0, [x1]
ldr d0, [x1, #8]!
ldp q0, q1, [x2, #32]
str q0, [x1], #16
stp d8, d9, [sp, #-16]!
ld1 {v0.16b}, [x1]
ld1 {v0.2d, v1.2d, v2.2d, v3.2d}, [x1], #64
ld1 {v0.s}[1], [x1]
ld1r {v0.4s}, [x1]
st1 {v0.16b, v1.16b}, [x1], #32
st1 {v0.s}[1], [x1]
ld4 {v0.4s, v1.4s, v2.4s, v3.4s}, [x1]
st2 {v0.16b, v1.16b}, [x1]
