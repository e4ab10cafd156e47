/* GMP's low-level functions; a limb is as wide as `unsigned long`. GMP's names in objects begin with "__g". */
#ifndef DECLARATIONS_H
#define DECLARATIONS_H

#define limbs (bytes / sizeof(unsigned long))
#define LIMB ((unsigned long)0x9e3779b97f4a7c15)

#define mpn(name) __asm__("__gmpn_" #name)
#define mpn_global(name) __asm__("__gmp_" #name)

/* What other functions of the same files refer to; those that are measured do not use them. */
unsigned char unused_table[128] mpn_global(binvert_limb_table);
unsigned long unused_inverse(unsigned long of) mpn(invert_limb);
unsigned long unused_inverse(unsigned long of)
{
    return of;
}

unsigned long mpn_mul_1(void *out, const void *in, size_t n, unsigned long by) mpn(mul_1);
unsigned long mpn_addmul_1(void *out, const void *in, size_t n, unsigned long by) mpn(addmul_1);
unsigned long mpn_submul_1(void *out, const void *in, size_t n, unsigned long by) mpn(submul_1);
unsigned long mpn_mul_2(void *out, const void *in, size_t n, const void *by) mpn(mul_2);
unsigned long mpn_addmul_2(void *out, const void *in, size_t n, const void *by) mpn(addmul_2);
unsigned long mpn_addmul_3(void *out, const void *in, size_t n, const void *by) mpn(addmul_3);
unsigned long mpn_mod_34lsub1(const void *in, size_t n) mpn(mod_34lsub1);
void mpn_pi1_bdiv_q_1(void *out, const void *in, size_t n, unsigned long by, unsigned long inverse, int shift)
    mpn(pi1_bdiv_q_1);
unsigned long mpn_bdiv_dbm1c(void *out, const void *in, size_t n, unsigned long by, unsigned long carry)
    mpn(bdiv_dbm1c);
unsigned long mpn_mod_1_1p(const void *in, size_t n, unsigned long by, const void *constants) mpn(mod_1_1p);
unsigned long mpn_mod_1s_2p(const void *in, size_t n, unsigned long by, const void *constants) mpn(mod_1s_2p);
unsigned long mpn_add_n(void *out, const void *in, const void *in_2, size_t n) mpn(add_n);
unsigned long mpn_cnd_add_n(unsigned long condition, void *out, const void *in, const void *in_2, size_t n)
    mpn(cnd_add_n);
unsigned long mpn_rsh1add_n(void *out, const void *in, const void *in_2, size_t n) mpn(rsh1add_n);
unsigned long mpn_addlsh1_n(void *out, const void *in, const void *in_2, size_t n) mpn(addlsh1_n);
void mpn_and_n(void *out, const void *in, const void *in_2, size_t n) mpn(and_n);
void mpn_nand_n(void *out, const void *in, const void *in_2, size_t n) mpn(nand_n);
unsigned long mpn_lshift(void *out, const void *in, size_t n, unsigned int count) mpn(lshift);
unsigned long mpn_rshift(void *out, const void *in, size_t n, unsigned int count) mpn(rshift);
unsigned long mpn_lshiftc(void *out, const void *in, size_t n, unsigned int count) mpn(lshiftc);
void mpn_com(void *out, const void *in, size_t n) mpn(com);
unsigned long mpn_modexact_1c_odd(const void *in, size_t n, unsigned long by, unsigned long carry) mpn(modexact_1c_odd);
void mpn_copyd(void *out, const void *in, size_t n) mpn(copyd);
void mpn_copyi(void *out, const void *in, size_t n) mpn(copyi);
unsigned long mpn_popcount(const void *in, size_t n) mpn(popcount);
unsigned long mpn_hamdist(const void *in, const void *in_2, size_t n) mpn(hamdist);
void mpn_sec_tabselect(void *out, const void *table, size_t n, size_t entries, size_t which) mpn(sec_tabselect);
void mpn_sqr_diag_addlsh1(void *out, const void *products, const void *in, size_t n) mpn(sqr_diag_addlsh1);

#endif
