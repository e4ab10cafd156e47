/* Uses an instruction for AES where Linux says that the processor has it, as libraries do. */
#include <sys/auxv.h>

__attribute__((noinline)) void may_encrypt(void);

void may_encrypt(void)
{
    if ((getauxval(AT_HWCAP) & HWCAP_AES) != 0) {
        __asm__ volatile(".arch armv8-a+crypto\n aese v0.16b, v1.16b\n" : : : "v0");
    }
}

int main(int count, char **words)
{
    (void)words;
    may_encrypt();
    if (count > 1) {
        __asm__ volatile(".arch armv8-a+crypto\n pmull v0.1q, v1.1d, v2.1d\n" : : : "v0");
    }
    return 0;
}
