/*
 * Calls one function of a program whose cycles are published. The laboratory compiles this once for each [[call]] of a
 * program.toml, with its text in the macros below. It measures `measured`, whose argument is the number of bytes that
 * it handles.
 *
 *   DECLARATIONS  the prototypes (a header of the program's folder)
 *   PREPARE       statements that come before, not measured
 *   RUN           the statements that are measured
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include DECLARATIONS

#define MOST_BYTES 65536

/* Read by OpenSSL's assembly, which chooses by it between instruction sets; PREPARE may set it. */
unsigned int OPENSSL_armcap_P;

static _Alignas(64) unsigned char input[MOST_BYTES];
static _Alignas(64) unsigned char second_input[MOST_BYTES];
static _Alignas(64) unsigned char output[2 * MOST_BYTES];
static _Alignas(64) unsigned char key[32];
static _Alignas(64) unsigned char context[4096];
static _Alignas(64) unsigned char context_2[4096];

void measured(size_t bytes);

__attribute__((noinline)) void measured(size_t bytes)
{
    (void)bytes;
    RUN;
}

/* Any bytes will do that are not all alike: xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
static void fill(unsigned char *bytes, size_t count, uint32_t state)
{
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (unsigned char)state;
    }
}

int main(int argc, char **argv)
{
    /* Some, so that the program can be run and measured by hand too. */
    size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
    if (bytes > MOST_BYTES) {
        return 2;
    }
    fill(input, sizeof input, 1);
    fill(second_input, sizeof second_input, 2);
    fill(key, sizeof key, 3);
    (void)output;
    (void)second_input;
    (void)context;
    (void)context_2;
    PREPARE;
    /* Twice: the first call may set up what later ones find ready (a dispatch, a table). The second is measured. */
    measured(bytes);
    measured(bytes);
    return 0;
}
