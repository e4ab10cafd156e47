/* Reads straight-line programs (program.h), and says where each value is used. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"input", "key", "order", "xor", "and", "shift", "turn1", "turn2", "crossed"};

static int find(const struct program *program, const char *name)
{
    if (strcmp(name, "-") == 0) {
        return -1;
    }
    for (int i = 0; i < program->count; i++) {
        if (strcmp(program->node[i].name, name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "search: '%s' is used before it is computed\n", name);
    exit(2);
}

void read_program(struct program *program, FILE *input)
{
    char kind[12], name[12], a[12], b[12];
    int plane;

    memset(program, 0, sizeof *program);
    while (fscanf(input, "%11s %11s %11s %11s %d", kind, name, a, b, &plane) == 5) {
        struct node *node = &program->node[program->count];
        int number = 0;

        if (strcmp(kind, "output") == 0) {
            node = &program->node[find(program, name)];
            node->is_output = 1;
            node->plane = plane;
            program->output[plane] = (int)(node - program->node);
            continue;
        }
        while (number <= CROSSED && strcmp(kind, kind_names[number]) != 0) {
            number++;
        }
        if (number > CROSSED || program->count == MOST_NODES) {
            fprintf(stderr, "search: '%s' is no operation, or there are more than %d\n", kind, MOST_NODES);
            exit(2);
        }
        *node = (struct node){.kind = (enum kind)number, .a = find(program, a), .b = find(program, b), .plane = plane};
        strcpy(node->name, name);
        program->count++;
        program->inputs += number <= ORDER;
    }
    if (program->count == 0) {
        fprintf(stderr, "search: the description is empty\n");
        exit(2);
    }
}

void find_uses(struct uses *uses, const struct program *program, const struct candidate *candidate)
{
    memset(uses->count, 0, sizeof uses->count);
    memset(uses->next, 0, sizeof uses->next);
    for (int place = 0; place < candidate->count; place++) {
        const struct node *node = &program->node[candidate->order[place]];

        uses->place[node->a][uses->count[node->a]++] = place;
        if (node->b >= 0 && node->b != node->a) {
            uses->place[node->b][uses->count[node->b]++] = place;
        }
    }
}

int next_use(struct uses *uses, int node, int place)
{
    while (uses->next[node] < uses->count[node] && uses->place[node][uses->next[node]] <= place) {
        uses->next[node]++;
    }
    return uses->next[node] < uses->count[node] ? uses->place[node][uses->next[node]] : END_OF_TIME;
}
