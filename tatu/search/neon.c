/* The machine of eight blocks as planes on AArch32: sixteen registers of 128 bits; what they do not hold waits in
 * eleven places, each with a pointer. The Cortex-A8 issues, in order, one data operation and one load, store or
 * permutation a cycle (DDI 0344, 16.6.1 to 16.6.7). So operations are allocated in the order of the candidate and then
 * scheduled again. A wish is a register for the result. */
#include "program.h"

#include <string.h>

#define REGISTERS 16
#define PLACES 11
#define MOST_CODE 420
#define WINDOW 28

#define STORE_TO_LOAD_CYCLES 23 /* cores/cortex-a8.toml, table.store_to_load */

struct instruction {
    enum kind kind; /* XOR and AND; CROSSED and SHIFT, of one half; TURN_1 and TURN_2; KEY; ORDER; LOAD and STORE */
    int half;       /* 0, 1, or -1 for the whole register */
    int to, a, b;
    int slot, node;
};

#define LOAD (enum kind)(CROSSED + 1)
#define STORE (enum kind)(CROSSED + 2)

struct state {
    const struct program *program;
    struct uses uses;
    int content[REGISTERS];
    int place_of[MOST_NODES];
    int slot[MOST_NODES];
    int held[MOST_NODES]; /* the node in a slot */
    int slots;
    int count;
    struct instruction code[MOST_CODE];
};

static void emit(struct state *state, enum kind kind, int half, int to, int a, int b, int slot, int node)
{
    state->code[state->count++] = (struct instruction){kind, half, to, a, b, slot, node};
}

static int needed(struct state *state, int node, int place)
{
    const int next = next_use(&state->uses, node, place);

    return next == END_OF_TIME && state->program->node[node].is_output ? END_OF_TIME - 1 : next;
}

static int free_slot(struct state *state, int node, int place)
{
    for (int i = 0; i < state->slots; i++) {
        if (next_use(&state->uses, state->held[i], place - 1) == END_OF_TIME) {
            state->held[i] = node;
            return i;
        }
    }
    state->held[state->slots] = node;
    return state->slots++;
}

static int free_register(struct state *state, int place, int keep, int also_keep)
{
    int victim = -1, latest = -1, node;

    for (int i = 0; i < REGISTERS; i++) {
        int until;

        node = state->content[i];
        if (node < 0) {
            return i;
        }
        if (node == keep || node == also_keep) {
            continue;
        }
        until = needed(state, node, place - 1);
        if (until < END_OF_TIME - 1) {
            until = 2 * until + (state->slot[node] >= 0);
        }
        if (until > latest) {
            latest = until;
            victim = i;
        }
    }
    node = state->content[victim];
    if (state->slot[node] < 0 && state->program->node[node].kind != ORDER) {
        state->slot[node] = free_slot(state, node, place);
        emit(state, STORE, -1, -1, victim, -1, state->slot[node], node);
    }
    state->place_of[node] = -1;
    state->content[victim] = -1;
    return victim;
}

static void put(struct state *state, int node, int target)
{
    state->content[target] = node;
    state->place_of[node] = target;
}

static void fetch(struct state *state, int node, int other, int place)
{
    if (node >= 0 && state->place_of[node] < 0) {
        const int target = free_register(state, place, node, other);
        const enum kind kind = state->program->node[node].kind;

        if (state->slot[node] >= 0) {
            emit(state, LOAD, -1, target, -1, -1, state->slot[node], node);
        } else {
            emit(state, kind, -1, target, -1, -1, -1, node);
        }
        put(state, node, target);
    }
}

static void release_if_dead(struct state *state, int node, int place)
{
    if (node >= 0 && state->place_of[node] >= 0 && needed(state, node, place) == END_OF_TIME) {
        state->content[state->place_of[node]] = -1;
        state->place_of[node] = -1;
    }
}

/* Halves of registers, as a set of bits. */
static uint32_t halves(int which, int half)
{
    return which < 0 ? 0 : half < 0 ? UINT32_C(3) << (2 * which) : UINT32_C(1) << (2 * which + half);
}

static uint32_t read_by(const struct instruction *one)
{
    if (one->kind == CROSSED) {
        return halves(one->a, one->half) | halves(one->b, 1 - one->half);
    }
    return halves(one->a, one->half) | halves(one->b, one->half);
}

static int is_permutation(const struct instruction *one)
{
    return one->kind == SHIFT || one->kind == TURN_1 || one->kind == TURN_2;
}

static int is_data(const struct instruction *one)
{
    return one->kind == XOR || one->kind == AND || one->kind == CROSSED;
}

static int result_after(const struct instruction *one)
{
    return is_data(one) || is_permutation(one) ? 2 : 0;
}

static int is_early(const struct instruction *one)
{
    return is_permutation(one) || one->kind == STORE;
}

struct schedule {
    int first[MOST_CODE]; /* the earliest cycle, by what has been issued */
    int missing[MOST_CODE];
    int followers[MOST_CODE];
    struct {
        short to, after;
    } follower[MOST_CODE][48];
};

static void depend(struct schedule *schedule, int later, int earlier, int after)
{
    const int number = schedule->followers[earlier];

    if (number < 48) {
        schedule->follower[earlier][number].to = (short)later;
        schedule->follower[earlier][number].after = (short)after;
        schedule->followers[earlier]++;
        schedule->missing[later]++;
    }
}

/* Who must wait for whom: registers by halves, places in memory, the pointer to the keys. */
static void find_dependencies(struct schedule *schedule, const struct state *state)
{
    int writer[32], slot_writer[PLACES * 8], last_key = -1;
    int readers[32], reader[32][64], slot_readers[PLACES * 8], slot_reader[PLACES * 8][16];

    memset(writer, -1, sizeof writer);
    memset(readers, 0, sizeof readers);
    memset(slot_writer, -1, sizeof slot_writer);
    memset(slot_readers, 0, sizeof slot_readers);
    for (int i = 0; i < state->count; i++) {
        const struct instruction *one = &state->code[i];
        const uint32_t reads = read_by(one), writes = halves(one->to, one->half);

        schedule->first[i] = schedule->missing[i] = schedule->followers[i] = 0;
        for (int half = 0; half < 32; half++) {
            if (reads >> half & 1u) {
                if (writer[half] >= 0) {
                    depend(schedule, i, writer[half], result_after(&state->code[writer[half]]) + is_early(one));
                }
                reader[half][readers[half]++] = i;
            }
        }
        for (int half = 0; half < 32; half++) {
            if (writes >> half & 1u) {
                for (int j = 0; j < readers[half]; j++) {
                    if (reader[half][j] != i) {
                        depend(schedule, i, reader[half][j], 0);
                    }
                }
                if (writer[half] >= 0) {
                    depend(schedule, i, writer[half], 1);
                }
                writer[half] = i;
                readers[half] = 0;
            }
        }
        if (one->kind == STORE) {
            for (int j = 0; j < slot_readers[one->slot]; j++) {
                depend(schedule, i, slot_reader[one->slot][j], 0);
            }
            slot_writer[one->slot] = i;
            slot_readers[one->slot] = 0;
        } else if (one->kind == LOAD) {
            depend(schedule, i, slot_writer[one->slot], STORE_TO_LOAD_CYCLES);
            slot_reader[one->slot][slot_readers[one->slot]++] = i;
        } else if (one->kind == KEY) {
            if (last_key >= 0) {
                depend(schedule, i, last_key, 1);
            }
            last_key = i;
        }
    }
}

/* Takes the instructions in the order in which they can issue; of two, the earlier one of the order. Returns the
 * cycles. */
static int scheduled(struct state *state)
{
    static struct schedule schedule;
    static struct instruction done[MOST_CODE];
    static int waiting[MOST_CODE];
    int cycle = 0, issued = 0, data_free = 0, other_free = 0, left = state->count, taken = 0;

    find_dependencies(&schedule, state);
    for (int i = 0; i < left; i++) {
        waiting[i] = i;
    }
    while (left > 0) {
        int best = -1, best_start = END_OF_TIME;
        const struct instruction *one;

        for (int i = 0; i < left && i < WINDOW; i++) {
            const int number = waiting[i];
            const int free = is_data(&state->code[number]) ? data_free : other_free;
            int start = schedule.first[number];

            if (schedule.missing[number] > 0) {
                continue;
            }
            if (start < cycle + (issued == 2)) {
                start = cycle + (issued == 2);
            }
            if (start < free) {
                start = free;
            }
            if (start < best_start) {
                best_start = start;
                best = i;
                if (start <= cycle) {
                    break;
                }
            }
        }
        one = &state->code[waiting[best]];
        done[taken++] = *one;
        issued = best_start > cycle ? 0 : issued;
        cycle = best_start;
        if (is_data(one)) {
            data_free = best_start + 1;
        } else {
            other_free = best_start + 1 + is_permutation(one);
        }
        if (is_permutation(one)) {
            cycle++; /* the second cycle is the one that another operation may join */
            issued = 0;
        }
        issued++;
        for (int i = 0; i < schedule.followers[waiting[best]]; i++) {
            const int to = schedule.follower[waiting[best]][i].to;
            const int ready = best_start + schedule.follower[waiting[best]][i].after;

            schedule.missing[to]--;
            if (schedule.first[to] < ready) {
                schedule.first[to] = ready;
            }
        }
        left--;
        memmove(&waiting[best], &waiting[best + 1], (size_t)(left - best) * sizeof *waiting);
    }
    memcpy(state->code, done, (size_t)state->count * sizeof *done);
    return cycle + 1;
}

static void print(const struct state *state, FILE *output)
{
    static const char *const pointers[PLACES] = {"r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr"};

    fprintf(output, "@ keys");
    for (int i = 0; i < state->count; i++) {
        if (state->code[i].kind == KEY) {
            fprintf(output, " %d", state->program->node[state->code[i].node].plane);
        }
    }
    fprintf(output, "\n");
    for (int i = 0; i < state->count; i++) {
        const struct instruction *one = &state->code[i];
        const int to = one->to, a = one->a, b = one->b, half = one->half;

        if (one->kind == XOR || one->kind == AND) {
            fprintf(output, "    %s q%d, q%d, q%d @ %s\n", one->kind == AND ? "vand" : "veor", to, a, b,
                    state->program->node[one->node].name);
        } else if (one->kind == CROSSED) {
            fprintf(output, "    veor d%d, d%d, d%d\n", 2 * to + half, 2 * a + half, 2 * b + 1 - half);
        } else if (one->kind == SHIFT) {
            fprintf(output, "    vtbl.8 d%d, {d%d}, d%d\n", 2 * to + half, 2 * a + half, 2 * b + half);
        } else if (one->kind == TURN_1 || one->kind == TURN_2) {
            fprintf(output, "    vext.8 q%d, q%d, q%d, #%d\n", to, a, a, one->kind == TURN_1 ? 4 : 8);
        } else if (one->kind == KEY) {
            fprintf(output, "    vld1.64 {d%d-d%d}, [r1:128]!\n", 2 * to, 2 * to + 1);
        } else if (one->kind == ORDER) {
            fprintf(output, "    vld1.64 {d%d-d%d}, [r0:128]\n", 2 * to, 2 * to + 1);
        } else {
            const int moved = one->kind == LOAD ? to : a;

            fprintf(output, "    %s.64 {d%d-d%d}, [%s:128]\n", one->kind == LOAD ? "vld1" : "vst1", 2 * moved,
                    2 * moved + 1, one->slot < PLACES ? pointers[one->slot] : "?");
        }
    }
}

static void begin(struct state *state, const struct program *program, const struct candidate *candidate)
{
    state->program = program;
    state->slots = 0;
    state->count = 0;
    find_uses(&state->uses, program, candidate);
    memset(state->content, -1, sizeof state->content);
    memset(state->place_of, -1, sizeof state->place_of);
    memset(state->slot, -1, sizeof state->slot);
    for (int i = 0; i < program->inputs; i++) {
        if (program->node[i].kind == INPUT) {
            put(state, i, program->node[i].plane);
        }
    }
}

static struct cost evaluate(const struct program *program, const struct candidate *candidate, FILE *output)
{
    static struct state state;
    struct cost cost = {0};

    begin(&state, program, candidate);
    for (int place = 0; place < candidate->count; place++) {
        const int made = candidate->order[place];
        const struct node *node = &program->node[made];
        const int wish = node->is_output ? node->plane : candidate->wish[made];
        int a, b = -1, to;

        fetch(&state, node->a, node->b, place);
        fetch(&state, node->b, node->a, place);
        a = state.place_of[node->a];
        if (node->b >= 0) {
            b = state.place_of[node->b];
        }
        release_if_dead(&state, node->a, place);
        release_if_dead(&state, node->b, place);
        if (wish >= 0 && state.content[wish] < 0 && !(node->kind == CROSSED && wish == b)) {
            to = wish;
        } else if (state.content[a] < 0) {
            to = a;
        } else if (b >= 0 && state.content[b] < 0 && node->kind != CROSSED && node->kind != SHIFT) {
            to = b;
        } else {
            to = free_register(&state, place + 1, node->a, node->b);
        }
        if (node->kind == SHIFT || node->kind == CROSSED) {
            if (to == b) { /* the second half would read what the first wrote */
                cost.misplaced++;
            }
            emit(&state, node->kind, 0, to, a, b, -1, made);
            emit(&state, node->kind, 1, to, a, b, -1, made);
        } else {
            emit(&state, node->kind, -1, to, a, b, -1, made);
        }
        put(&state, made, to);
    }
    for (int i = 0; i < PLANES; i++) {
        cost.misplaced += state.place_of[program->output[i]] != i;
    }
    cost.misplaced += state.slots > PLACES ? state.slots - PLACES : 0;
    cost.cycles = scheduled(&state);
    cost.instructions = state.count;
    cost.bytes = 4 * state.count;
    cost.points = 100L * cost.cycles + 50L * cost.instructions + 150L * cost.misplaced;
    if (output != NULL) {
        print(&state, output);
    }
    return cost;
}

const struct machine neon = {"neon", REGISTERS, evaluate};
