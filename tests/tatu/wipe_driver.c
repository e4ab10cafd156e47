/* tatu_wipe with each length up to LONGEST, from each place in a group of four words on. One line for each input line:
 * how many buffers were not zeros then, or had changed bytes around them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tatu/wipe.h>

#define LONGEST 100
#define PLACES 16
#define AROUND 8

static unsigned wrong_buffers(void)
{
    static uint8_t memory[AROUND + PLACES + LONGEST + AROUND];
    unsigned wrong = 0;

    for (size_t place = AROUND; place < AROUND + PLACES; place++) {
        for (size_t length = 0; length <= LONGEST; length++) {
            int is_wrong = 0;

            memset(memory, 0xa5, sizeof memory);
            tatu_wipe(memory + place, length);
            for (size_t i = 0; i < sizeof memory; i++) {
                is_wrong |= memory[i] != (i >= place && i < place + length ? 0 : 0xa5);
            }
            wrong += is_wrong != 0;
        }
    }
    tatu_wipe(NULL, 0);
    return wrong;
}

int main(void)
{
    char line[16];

    while (fgets(line, sizeof line, stdin) != NULL) {
        printf("%u\n", wrong_buffers());
    }
    return 0;
}
