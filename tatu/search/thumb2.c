/* The machine of the fix-sliced S-box in Thumb-2: fourteen registers, three operands, words on the stack. Cycles are
 * those of a Cortex-M4 (Arm 100166, 3.3.1 and 3.3.3): an operation 1; a load 2, after a load 1; a store 1, right after
 * a load 0; a load right after a store 1 more. A wish is a register for the result. */
#include "program.h"

#include <string.h>

#define REGISTERS 14
#define MOST_CODE 400

enum operation { OPERATE, LOAD, STORE };

struct instruction {
    enum operation operation;
    int to, a, b; /* registers */
    int slot, node;
};

struct state {
    const struct program *program;
    struct uses uses;
    int content[REGISTERS]; /* the node in a register, or -1 */
    int place_of[MOST_NODES];
    int slot[MOST_NODES]; /* on the stack, or -1 */
    int slots;
    int count;
    struct instruction code[MOST_CODE];
};

static int lives_until(struct state *state, int node, int place)
{
    const int next = next_use(&state->uses, node, place);

    return next == END_OF_TIME && state->program->node[node].is_output ? END_OF_TIME - 1 : next;
}

static void put(struct state *state, int node, int target)
{
    state->content[target] = node;
    state->place_of[node] = target;
}

/* A register that is free at `place`, or made free: that of the value that is needed last. */
static int free_register(struct state *state, int place, int keep, int also_keep, int wanted)
{
    int victim = -1, latest = -1;

    if (wanted >= 0 && state->content[wanted] < 0) {
        return wanted;
    }
    for (int i = 0; i < REGISTERS; i++) {
        const int node = state->content[i];
        int until;

        if (node < 0) {
            return i;
        }
        if (node == keep || node == also_keep) {
            continue;
        }
        until = lives_until(state, node, place - 1);
        if (until < END_OF_TIME - 1) {
            until = 2 * until + (state->slot[node] >= 0);
        }
        if (until > latest) {
            latest = until;
            victim = i;
        }
    }
    if (state->slot[state->content[victim]] < 0) {
        state->slot[state->content[victim]] = state->slots++;
        state->code[state->count++] =
            (struct instruction){STORE, -1, victim, -1, state->slots - 1, state->content[victim]};
    }
    state->place_of[state->content[victim]] = -1;
    state->content[victim] = -1;
    return victim;
}

static void fetch(struct state *state, int node, int other, int place)
{
    if (state->place_of[node] < 0) {
        const int target = free_register(state, place, node, other, -1);

        state->code[state->count++] = (struct instruction){LOAD, target, -1, -1, state->slot[node], node};
        put(state, node, target);
    }
}

static void release_if_dead(struct state *state, int node, int place)
{
    if (state->place_of[node] >= 0 && lives_until(state, node, place) == END_OF_TIME) {
        state->content[state->place_of[node]] = -1;
        state->place_of[node] = -1;
    }
}

static int touches(const struct instruction *one, int named)
{
    return one->to == named || one->a == named || one->b == named;
}

/* A load moves up to the load before it, if nothing between them touches its register: the second takes one cycle. A
 * store moves down behind the next load, where it takes none. */
static void join_loads_and_stores(struct state *state)
{
    struct instruction *code = state->code;

    for (int i = 1; i < state->count; i++) {
        int at = i;
        const struct instruction moved = code[i];

        if (moved.operation != LOAD || code[i - 1].operation == LOAD) {
            continue;
        }
        while (at > 0 && code[at - 1].operation != LOAD && !touches(&code[at - 1], moved.to) &&
               !(code[at - 1].operation == STORE && code[at - 1].slot == moved.slot)) {
            at--;
        }
        if (at > 0 && code[at - 1].operation == LOAD && code[at - 1].to != moved.to) {
            memmove(&code[at + 1], &code[at], (size_t)(i - at) * sizeof *code);
            code[at] = moved;
        }
    }
    for (int i = state->count - 2; i >= 0; i--) {
        int at = i;
        const struct instruction moved = code[i];

        if (moved.operation != STORE) {
            continue;
        }
        while (at + 1 < state->count && code[at + 1].operation != LOAD && code[at + 1].to != moved.a) {
            at++;
        }
        while (at + 1 < state->count && code[at + 1].operation == LOAD && code[at + 1].to != moved.a &&
               code[at + 1].slot != moved.slot) {
            at++;
        }
        if (at > i && code[at].operation == LOAD && (at + 1 == state->count || code[at + 1].operation == OPERATE)) {
            memmove(&code[i], &code[i + 1], (size_t)(at - i) * sizeof *code);
            code[at] = moved;
        }
    }
}

/* Of the names for registers, the first eight serve 16-bit instructions. */
static const char *const names[REGISTERS] = {"r0", "r1", "r2", "r3",  "r4",  "r5",  "r6",
                                             "r7", "r8", "r9", "r10", "r11", "r12", "lr"};

static int is_narrow(const struct instruction *one, unsigned low)
{
    switch (one->operation) {
    case OPERATE:
        return (one->to == one->a || one->to == one->b) && (low >> one->a & low >> one->b & 1u);
    case LOAD:
        return (int)(low >> one->to & 1u);
    default:
        return (int)(low >> one->a & 1u);
    }
}

static int bytes_with(const struct state *state, unsigned low)
{
    int bytes = 0;

    for (int i = 0; i < state->count; i++) {
        bytes += is_narrow(&state->code[i], low) ? 2 : 4;
    }
    return bytes;
}

static void print(const struct state *state, FILE *output)
{
    unsigned low = 0xff, best = 0xff;
    int best_bytes = END_OF_TIME, next_low = 0, next_high = 8, number[REGISTERS];

    for (low = 0; low < 1u << REGISTERS; low++) {
        int bits = 0;

        for (int i = 0; i < REGISTERS; i++) {
            bits += (int)(low >> i & 1u);
        }
        if (bits == 8 && bytes_with(state, low) < best_bytes) {
            best = low;
            best_bytes = bytes_with(state, low);
        }
    }
    for (int i = 0; i < REGISTERS; i++) {
        number[i] = best >> i & 1u ? next_low++ : next_high++;
    }
    fprintf(output, "@ bytes %d\n", best_bytes);
    for (int i = 0; i < PLANES; i++) {
        fprintf(output, "@ plane %d %s\n", i, names[number[i]]);
    }
    for (int i = 0; i < state->count; i++) {
        const struct instruction *one = &state->code[i];
        const struct node *node = &state->program->node[one->node];

        if (one->operation == OPERATE) {
            const int swapped = one->to == one->b;

            fprintf(output, "    %s%s %s, %s, %s @ %s\n", node->kind == AND ? "and" : "eor",
                    is_narrow(one, best) ? "s" : "", names[number[one->to]], names[number[swapped ? one->b : one->a]],
                    names[number[swapped ? one->a : one->b]], node->name);
        } else {
            fprintf(output, "    %s %s, [sp, #%d]\n", one->operation == LOAD ? "ldr" : "str",
                    names[number[one->operation == LOAD ? one->to : one->a]], 4 * one->slot);
        }
    }
}

static struct cost evaluate(const struct program *program, const struct candidate *candidate, FILE *output)
{
    static struct state state;
    struct cost cost = {0};
    int wide = 0;
    enum operation before = OPERATE;

    state.program = program;
    state.slots = 0;
    state.count = 0;
    find_uses(&state.uses, program, candidate);
    memset(state.content, -1, sizeof state.content);
    memset(state.place_of, -1, sizeof state.place_of);
    memset(state.slot, -1, sizeof state.slot);
    for (int i = 0; i < program->inputs; i++) {
        put(&state, i, program->node[i].plane);
    }
    for (int place = 0; place < candidate->count; place++) {
        const int made = candidate->order[place];
        const struct node *node = &program->node[made];
        const int wish = node->is_output ? node->plane : candidate->wish[made];
        int a, b, to;

        fetch(&state, node->a, node->b, place);
        fetch(&state, node->b, node->a, place);
        a = state.place_of[node->a];
        b = state.place_of[node->b];
        release_if_dead(&state, node->a, place);
        release_if_dead(&state, node->b, place);
        if (wish >= 0 && state.content[wish] < 0) {
            to = wish;
        } else if (state.content[a] < 0) {
            to = a;
        } else if (state.content[b] < 0) {
            to = b;
        } else {
            to = free_register(&state, place + 1, -1, -1, -1);
        }
        wide += to != a && to != b;
        state.code[state.count++] = (struct instruction){OPERATE, to, a, b, -1, made};
        put(&state, made, to);
    }
    join_loads_and_stores(&state);
    for (int i = 0; i < PLANES; i++) {
        cost.misplaced += state.place_of[program->output[i]] != i;
    }
    for (int i = 0; i < state.count; i++) {
        const enum operation operation = state.code[i].operation;

        cost.cycles += operation == OPERATE ? 1
                       : operation == LOAD  ? (before == LOAD    ? 1
                                               : before == STORE ? 3
                                                                 : 2)
                                            : before != LOAD;
        before = operation;
    }
    cost.instructions = state.count;
    cost.points = 100L * cost.cycles + 10 * (state.count - candidate->count) + wide + 150L * cost.misplaced;
    if (output != NULL) {
        print(&state, output);
    }
    return cost;
}

const struct machine thumb2 = {"thumb2", REGISTERS, evaluate};
