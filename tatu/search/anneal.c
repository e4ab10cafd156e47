/* Simulated annealing over the orders that the data dependencies allow (S. Kirkpatrick, C. Gelatt, M. Vecchi,
 * "Optimization by Simulated Annealing", Science 220, 1983). A change moves one operation between what it needs and
 * what needs it, or changes a wish. */
#include "program.h"

#include <math.h>
#include <string.h>

/* xorshift64*: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, with a multiplier. */
static uint64_t chance_state;

static uint32_t chance(void)
{
    chance_state ^= chance_state >> 12;
    chance_state ^= chance_state << 25;
    chance_state ^= chance_state >> 27;
    return (uint32_t)((chance_state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

static int below(int limit)
{
    return (int)((uint64_t)chance() * (uint32_t)limit >> 32);
}

static void move(const struct program *program, struct candidate *candidate)
{
    const int from = below(candidate->count);
    const int moved = candidate->order[from];
    const struct node *node = &program->node[moved];
    int first = from, last = from, to;

    while (first > 0 && candidate->order[first - 1] != node->a && candidate->order[first - 1] != node->b) {
        first--;
    }
    while (last + 1 < candidate->count) {
        const struct node *later = &program->node[candidate->order[last + 1]];

        if (later->a == moved || later->b == moved) {
            break;
        }
        last++;
    }
    to = first + below(last - first + 1);
    if (to < from) {
        memmove(&candidate->order[to + 1], &candidate->order[to], (size_t)(from - to) * sizeof(int));
    } else {
        memmove(&candidate->order[from], &candidate->order[from + 1], (size_t)(to - from) * sizeof(int));
    }
    candidate->order[to] = moved;
}

struct candidate anneal(const struct program *program, const struct machine *machine, long steps, uint64_t seed,
                        double first_temperature, double last_temperature)
{
    struct candidate now = {.count = program->count - program->inputs}, best;
    struct cost now_cost, best_cost;

    chance_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < now.count; i++) {
        now.order[i] = program->inputs + i;
    }
    memset(now.wish, -1, sizeof now.wish);
    now_cost = best_cost = machine->evaluate(program, &now, NULL);
    best = now;
    for (long step = 0; step < steps; step++) {
        const double part = (double)step / (double)steps;
        const double temperature = first_temperature * pow(last_temperature / first_temperature, part);
        struct candidate next = now;
        struct cost cost;

        if (below(4) == 0) {
            next.wish[below(program->count)] = (int8_t)(below(machine->wishes + 1) - 1);
        } else {
            move(program, &next);
        }
        cost = machine->evaluate(program, &next, NULL);
        if (cost.points <= now_cost.points ||
            chance() < exp((double)(now_cost.points - cost.points) / temperature) * 4294967296.0) {
            now = next;
            now_cost = cost;
            if (cost.points < best_cost.points) {
                best = next;
                best_cost = cost;
            }
        }
    }
    return best;
}
