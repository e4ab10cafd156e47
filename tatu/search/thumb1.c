/* The machine of the fix-sliced S-box in the Thumb of ARMv6-M: r0 to r7 compute, with two operands; r9 to r12 only
 * keep; the planes are on the stack, and r0 to r7 hold them when the program begins. Cycles are those of a Cortex-M0+
 * (DDI 0484C, table 3-1): an operation or a move 1, a load or a store 2. Bit 0 of a wish: this value goes to the
 * stack although a register that only keeps is free. Bit 1: rather overwrite an operand that has a copy than copy. */
#include "program.h"

#include <string.h>

#define LOW 8
#define HIGH 4
#define MOST_CODE 600

enum operation { OPERATE, MOVE, LOAD, STORE };

struct instruction {
    enum operation operation;
    int to, from; /* r0 to r7; 9 to 12 in a move */
    int slot;     /* less than 0: plane -1 - slot */
    int node;
};

struct state {
    const struct program *program;
    const struct candidate *candidate;
    struct uses uses;
    int low[LOW], high[HIGH];
    int in_low[MOST_NODES], in_high[MOST_NODES];
    int has_slot[MOST_NODES], slot[MOST_NODES];
    int taken[MOST_NODES]; /* the node in a slot, or -1 */
    int slots;
    int count;
    struct instruction code[MOST_CODE];
};

static void emit(struct state *state, enum operation operation, int to, int from, int slot, int node)
{
    state->code[state->count++] = (struct instruction){operation, to, from, slot, node};
}

static int has_copy(const struct state *state, int node)
{
    return state->in_high[node] >= 0 || state->has_slot[node];
}

static int free_slot(struct state *state, int node, int place)
{
    for (int i = 0; i < state->slots; i++) {
        if (next_use(&state->uses, state->taken[i], place - 1) == END_OF_TIME) {
            state->taken[i] = node;
            return i;
        }
    }
    state->taken[state->slots] = node;
    return state->slots++;
}

/* Writes the value of a low register elsewhere, if it is nowhere else. */
static void save(struct state *state, int node, int place)
{
    const int wish = state->candidate->wish[node];

    if (has_copy(state, node)) {
        return;
    }
    for (int i = 0; i < HIGH && !(wish >= 0 && (wish & 1)); i++) {
        const int kept = state->high[i];

        if (kept < 0 || next_use(&state->uses, kept, place - 1) == END_OF_TIME || state->has_slot[kept]) {
            if (kept >= 0) {
                state->in_high[kept] = -1;
            }
            state->high[i] = node;
            state->in_high[node] = i;
            emit(state, MOVE, 9 + i, state->in_low[node], 0, node);
            return;
        }
    }
    state->slot[node] = free_slot(state, node, place);
    state->has_slot[node] = 1;
    emit(state, STORE, -1, state->in_low[node], state->slot[node], node);
}

static int free_low(struct state *state, int place, int keep, int also_keep)
{
    int victim = -1, latest = -1, node;

    for (int i = 0; i < LOW; i++) {
        int until;

        if (state->low[i] < 0) {
            return i;
        }
        if (state->low[i] == keep || state->low[i] == also_keep) {
            continue;
        }
        until = 2 * next_use(&state->uses, state->low[i], place - 1) + has_copy(state, state->low[i]);
        if (until > latest) {
            latest = until;
            victim = i;
        }
    }
    node = state->low[victim];
    save(state, node, place);
    state->in_low[node] = -1;
    state->low[victim] = -1;
    return victim;
}

/* Says whether the value had to be fetched. */
static int fetch(struct state *state, int node, int other, int place)
{
    int to;

    if (state->in_low[node] >= 0) {
        return 0;
    }
    to = free_low(state, place, node, other);
    if (state->in_high[node] >= 0) {
        emit(state, MOVE, to, 9 + state->in_high[node], 0, node);
    } else {
        emit(state, LOAD, to, -1, state->slot[node], node);
    }
    state->low[to] = node;
    state->in_low[node] = to;
    return 1;
}

static void leave_low(struct state *state, int node)
{
    if (state->in_low[node] >= 0) {
        state->low[state->in_low[node]] = -1;
        state->in_low[node] = -1;
    }
}

/* The end of a value: an output is written to its plane. Says whether that destroys an input that is still needed. */
static int finish(struct state *state, int node, int place)
{
    const struct node *ended = &state->program->node[node];
    int destroys = 0;

    if (next_use(&state->uses, node, place) != END_OF_TIME) {
        return 0;
    }
    if (ended->is_output && state->in_low[node] >= 0) {
        emit(state, STORE, -1, state->in_low[node], -1 - ended->plane, node);
        for (int i = 0; i < state->program->inputs; i++) {
            destroys += state->program->node[i].plane == ended->plane && state->in_low[i] < 0 &&
                        state->in_high[i] < 0 && next_use(&state->uses, i, place) != END_OF_TIME;
            if (state->program->node[i].plane == ended->plane) {
                state->has_slot[i] = 0;
            }
        }
    }
    leave_low(state, node);
    if (state->in_high[node] >= 0) {
        state->high[state->in_high[node]] = -1;
        state->in_high[node] = -1;
    }
    return destroys;
}

static void print(const struct state *state, FILE *output)
{
    for (int i = 0; i < state->count; i++) {
        const struct instruction *one = &state->code[i];
        const struct node *node = &state->program->node[one->node];

        if (one->operation == OPERATE) {
            fprintf(output, "    %s r%d, r%d, r%d @ %s\n", node->kind == AND ? "ands" : "eors", one->to, one->to,
                    one->from, node->name);
        } else if (one->operation == MOVE) {
            fprintf(output, "    %s r%d, r%d\n", one->to < 8 && one->from < 8 ? "movs" : "mov", one->to, one->from);
        } else {
            fprintf(output, "    %s r%d, [sp, #%s%d]\n", one->operation == LOAD ? "ldr" : "str",
                    one->operation == LOAD ? one->to : one->from, one->slot < 0 ? "SP_PLANES + " : "",
                    one->slot < 0 ? 4 * (-1 - one->slot) : 4 * one->slot);
        }
    }
}

static void begin(struct state *state, const struct program *program, const struct candidate *candidate)
{
    state->program = program;
    state->candidate = candidate;
    state->slots = 0;
    state->count = 0;
    find_uses(&state->uses, program, candidate);
    memset(state->low, -1, sizeof state->low);
    memset(state->high, -1, sizeof state->high);
    memset(state->in_low, -1, sizeof state->in_low);
    memset(state->in_high, -1, sizeof state->in_high);
    memset(state->has_slot, 0, sizeof state->has_slot);
    for (int i = 0; i < program->inputs; i++) {
        const int plane = program->node[i].plane;

        state->low[plane] = i;
        state->in_low[i] = plane;
        state->has_slot[i] = 1;
        state->slot[i] = -1 - plane;
    }
}

static int can_be_lost(struct state *state, int node, int place)
{
    return next_use(&state->uses, node, place) == END_OF_TIME && !state->program->node[node].is_output;
}

/* Whether the operand may be overwritten though it is needed later. */
static int can_be_fetched_again(struct state *state, int node, int place)
{
    return has_copy(state, node) && next_use(&state->uses, node, place) != END_OF_TIME;
}

static struct cost evaluate(const struct program *program, const struct candidate *candidate, FILE *output)
{
    static struct state state;
    struct cost cost = {0};

    begin(&state, program, candidate);
    for (int place = 0; place < candidate->count; place++) {
        const int made = candidate->order[place];
        const struct node *node = &program->node[made];
        const int wish = candidate->wish[made];
        const int fetched_a = fetch(&state, node->a, node->b, place);
        const int fetched_b = fetch(&state, node->b, node->a, place);
        int lost = -1, kept, to;

        if (can_be_lost(&state, node->a, place)) {
            lost = node->a;
        } else if (can_be_lost(&state, node->b, place)) {
            lost = node->b;
        } else if (can_be_fetched_again(&state, node->a, place) && (fetched_a || (wish >= 0 && (wish & 2)))) {
            lost = node->a;
        } else if (can_be_fetched_again(&state, node->b, place) && (fetched_b || (wish >= 0 && (wish & 2)))) {
            lost = node->b;
        }
        if (lost >= 0) {
            kept = lost == node->a ? node->b : node->a;
            to = state.in_low[lost];
            leave_low(&state, lost);
        } else {
            kept = node->b;
            to = free_low(&state, place, node->a, node->b);
            emit(&state, MOVE, to, state.in_low[node->a], 0, node->a);
        }
        emit(&state, OPERATE, to, state.in_low[kept], 0, made);
        state.low[to] = made;
        state.in_low[made] = to;
        cost.misplaced += finish(&state, node->a, place) + finish(&state, node->b, place);
        cost.misplaced += finish(&state, made, place);
    }
    for (int i = 0; i < state.count; i++) {
        cost.cycles += state.code[i].operation >= LOAD ? 2 : 1;
    }
    cost.instructions = state.count;
    cost.bytes = 2 * state.count;
    cost.points = 100L * cost.cycles + 10 * state.count + 2 * state.slots + 1000L * cost.misplaced;
    if (output != NULL) {
        fprintf(output, "@ words %d\n", state.slots);
        print(&state, output);
    }
    return cost;
}

const struct machine thumb1 = {"thumb1", 4, evaluate};
