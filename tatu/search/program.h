/* A straight-line program on bit planes, as describe.py writes it: what the search puts in order. */
#ifndef TATU_SEARCH_PROGRAM_H
#define TATU_SEARCH_PROGRAM_H

#include <stdint.h>
#include <stdio.h>

#define MOST_NODES 256
#define MOST_USES 24
#define PLANES 8
#define END_OF_TIME 1000000

enum kind {
    INPUT,   /* plane `plane` of the state, in its register when the program begins */
    KEY,     /* plane of a round key, the next one that is read */
    ORDER,   /* the order of bytes of ShiftRows, which stays in memory */
    XOR,     /* a + b */
    AND,     /* a b */
    SHIFT,   /* ShiftRows of a; b is ORDER */
    TURN_1,  /* a with its rows moved by one */
    TURN_2,  /* a with its rows moved by two */
    CROSSED, /* a + (b with its rows moved by two) */
};

struct node {
    enum kind kind;
    int a, b;  /* operands, or -1 */
    int plane; /* of an input and of an output, else -1 */
    int is_output;
    char name[12];
};

struct program {
    int count;
    int inputs; /* nodes before the first that is computed */
    struct node node[MOST_NODES];
    int output[PLANES];
};

/* One point of the space that is searched: the order of all computed nodes, and a wish for each node, which each
 * machine understands in its own way. */
struct candidate {
    int count;
    int order[MOST_NODES];
    int8_t wish[MOST_NODES];
};

/* Where each node is used, by places in the order. */
struct uses {
    int count[MOST_NODES];
    int place[MOST_NODES][MOST_USES];
    int next[MOST_NODES];
};

/* What a machine says of a candidate. Fewer `points` are better. */
struct cost {
    long points;
    int cycles, instructions, bytes, misplaced;
};

/* A machine allocates registers for the order, counts, and prints the assembly if `output` is not NULL. */
struct machine {
    const char *name;
    int wishes; /* the wishes of a node are -1 to wishes - 1 */
    struct cost (*evaluate)(const struct program *program, const struct candidate *candidate, FILE *output);
};

extern const struct machine thumb1, thumb2, neon;

/* Reads a description; ends the process with a sentence if it is none. */
void read_program(struct program *program, FILE *input);
void find_uses(struct uses *uses, const struct program *program, const struct candidate *candidate);

/* The place of the next use after `place`, or END_OF_TIME. `place` may only grow from call to call. */
int next_use(struct uses *uses, int node, int place);

/* Simulated annealing for `steps` changes, from the order of the description. The same seed gives the same result. */
struct candidate anneal(const struct program *program, const struct machine *machine, long steps, uint64_t seed,
                        double first_temperature, double last_temperature);

#endif
