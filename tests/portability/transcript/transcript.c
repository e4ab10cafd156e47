/* Every function of Tatu on the same inputs on every machine: a line for each algorithm, its name and a checksum of all
 * that it answered. The lines are the same wherever this runs; where one differs, the machine's code for that algorithm
 * is wrong. */
#include "transcript.h"

int main(void)
{
    open_output();
    transcript_ciphers();
    transcript_modes();
    transcript_authentication();
    transcript_hashes();
    transcript_public_key();
    close_output();
    return 0;
}
