/* Searches an order and an allocation of registers for a straight-line program:
 *
 *     search MACHINE STEPS SEED < description > assembly
 *
 * The last line on stderr says what was found. README.md has the rest. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
    static struct program program;
    static const struct machine *const machines[] = {&thumb1, &thumb2, &neon};
    const struct machine *machine = NULL;
    struct candidate best;
    struct cost cost;

    for (size_t i = 0; count == 4 && i < sizeof machines / sizeof *machines; i++) {
        if (strcmp(machines[i]->name, words[1]) == 0) {
            machine = machines[i];
        }
    }
    if (machine == NULL) {
        fprintf(stderr, "search: write: search thumb1|thumb2|neon STEPS SEED < description\n");
        return 2;
    }
    read_program(&program, stdin);
    best = anneal(&program, machine, atol(words[2]), strtoull(words[3], NULL, 10), 150, 8);
    cost = machine->evaluate(&program, &best, stdout);
    fprintf(stderr, "cycles %d instructions %d misplaced %d\n", cost.cycles, cost.instructions, cost.misplaced);
    return cost.misplaced != 0;
}
