/* Reads a word at the address that a line of input says: aligned, or not. Tests need to know that the second one is
 * noticed. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static const uint32_t words[2] = {0x04030201, 0x08070605};
    char line[20];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const uint8_t *const address = (const uint8_t *)words + (line[0] == 'u');
        uint32_t word;
#if defined(__arm__)
        __asm__ volatile("ldr %0, [%1]" : "=l"(word) : "l"(address) : "memory");
#else
        word = *(const uint32_t *)address;
#endif
        printf("%lx\n", (unsigned long)word);
    }
    return 0;
}
