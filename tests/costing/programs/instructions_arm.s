@ One instruction a line, for the test that holds the decoder against a processor emulator.
.syntax unified
.fpu neon-vfpv4
.arm
add r0, r1, r2
adds r0, r1, #3
adc r0, r1, r2
adcs r3, r4, r5
sub r0, r1, r2, lsl #3
subs r0, r1, r2, lsr r3
rsb r0, r1, r2, asr #5
rsc r0, r1, r2
sbc r0, r1, r2, rrx
sbcs r6, r7, r8
and r0, r1, r2, ror #7
ands r0, r1, r2
orr r0, r0, r2, ror r5
eor r9, r10, r11, lsl #2
bic r12, r1, r2
mov r0, r1
movs r0, r1, lsl #2
mvn r0, r1, ror #3
movw r0, #0x1234
movt r0, #0x1234
lsr r0, r1, #3
lsr r0, r1, r2
asrs r0, r1, r2
rrx r0, r1
cmp r0, r1
cmn r0, r1, lsl #2
tst r0, r1, lsr r2
teq r0, r1
addne r0, r1, r2
movhs r4, r5
subseq r3, r4, r5
uxtb r0, r1, ror #8
sxtah r0, r1, r2
bfi r0, r1, #3, #5
bfc r0, #3, #5
ubfx r0, r1, #3, #5
sbfx r0, r1, #3, #5
rev r0, r1
clz r0, r1
rbit r0, r1
mul r0, r1, r2
muls r3, r4, r5
mla r0, r1, r2, r3
mls r0, r1, r2, r3
umull r0, r1, r2, r3
smull r0, r1, r2, r3
umlal r0, r1, r2, r3
smlal r4, r5, r2, r3
umaal r0, r1, r2, r3
smulbb r0, r1, r2
smlabt r0, r1, r2, r3
smlad r0, r1, r2, r3
uadd8 r0, r1, r2
usat r0, #7, r1
pkhbt r0, r1, r2, lsl #4
ldr r0, [r1]
ldr r0, [r1, #8]!
ldr r0, [r1], #8
ldrb r0, [r1, #3]
ldrsh r0, [r1, #2]
ldrd r0, r1, [r2, #8]
ldrd r4, r5, [r2], #8
str r0, [r1]
str r0, [r1, #8]!
strb r0, [r1], #1
strd r0, r1, [r2, #8]!
ldm r0, {r1-r4}
ldmia r0!, {r1, r5, r9}
ldmdb r0!, {r1, r2}
stmia r0!, {r1-r3}
stmdb sp!, {r4-r6, lr}
push {r4, r5}
pop {r4, r5}
b .+16
bne .+16
bl .+16
bx r3
bx lr
blx r4
vadd.i32 q0, q1, q2
vadd.i64 d0, d1, d2
vsub.i16 d0, d1, d2
veor q0, q1, q2
vand d0, d1, d2
vorr q4, q5, q5
vmvn q0, q1
vbsl q0, q1, q2
vbit d0, d1, d2
vbif q3, q4, q5
vtst.8 q0, q1, q2
vcgt.s8 q0, q1, q2
vbic.i32 q0, #0xff00
vshl.i32 q0, q1, #3
vshr.u64 q0, q1, #63
vsli.32 q0, q1, #25
vsri.64 d0, d1, #3
vsra.u64 q0, q1, #26
vshl.u64 d0, d1, d2
vshrn.i64 d0, q1, #6
vmovn.i64 d0, q1
vmovl.u32 q0, d2
vaddl.u32 q0, d2, d3
vaddw.u32 q0, q1, d4
vpadd.i32 d0, d1, d2
vpadal.u8 q0, q1
vcnt.8 q0, q1
vabal.u8 q0, d2, d3
vmul.i32 q0, q1, q2
vmla.i32 q0, q1, q2
vmls.i16 d0, d1, d2
vmull.u32 q0, d2, d3
vmlal.u32 q0, d2, d3
vmull.p8 q0, d2, d3
vmul.i32 d0, d1, d2[1]
vmlal.u32 q0, d2, d4[0]
vext.8 d0, d1, d2, #3
vrev64.8 q0, q1
vswp d0, d1
vswp q2, q3
vtrn.32 q0, q1
vzip.8 q0, q1
vuzp.16 d0, d1
vtbl.8 d0, {d1}, d2
vtbl.8 d0, {d1-d2}, d3
vtbx.8 d0, {d1-d2}, d3
vdup.32 q0, d2[1]
vdup.32 q0, r1
vmov d0, r1, r2
vmov r1, r2, d0
vmov.32 d0[1], r3
vmov.32 r3, d0[1]
vmov r1, s3
vmov.i8 q0, #0x55
vmov.f64 d0, d1
vmov.f32 s0, s1
vadd.f32 s0, s1, s2
vmul.f64 d0, d1, d2
vmla.f32 s0, s1, s2
vfma.f64 d0, d1, d2
vcmp.f64 d0, d1
vmrs apsr_nzcv, fpscr
vcvt.f64.s32 d0, s3
vldr d0, [r1, #8]
vstr d0, [r1, #8]
vldmia r0!, {d8-d11}
vldmia r0, {d0-d3}
vstmia r0!, {d8-d11}
vpush {d8-d9}
vpop {d8-d9}
vld1.8 {q0-q1}, [r0]
vld1.64 {d0}, [r0]!
vld1.32 {d0[1]}, [r1]
vld1.32 {d0[]}, [r1]
vld1.8 {d0}, [r1], r2
vst1.32 {q0}, [r0]!
vst1.32 {d0[1]}, [r1]
vld2.8 {d0, d1}, [r0]!
vst4.8 {d0, d1, d2, d3}, [r0]
