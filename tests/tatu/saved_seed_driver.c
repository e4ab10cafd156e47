/* Starts a generator from a saved seed, in a memory whose power fails. One command a line on standard input, one answer
 * a line on standard output.
 *
 *   memory HEX                 -> the same; HEX is the whole record
 *   dump                       -> the record
 *   stuck OFFSET               -> the same; this byte can no longer be written, "none": all can
 *   boot CUT TORN FRESH FULL   -> "cut", or RESULT OUTPUT FULL_STARTS WRITES. The power fails in write CUT, from 1 on (0:
 *                                 never), and the byte becomes old, new, ones, zeros or mixed. FRESH and FULL: the number
 *                                 that their bytes count from, or "-": they fail */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/saved_seed.h>

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(2);
}

static uint8_t memory[TATU_SAVED_SEED_BYTES];
static long stuck = -1;
static unsigned long cut, writes, full_starts;
static const char *torn;
static jmp_buf power;

static uint8_t read_byte(void *state, uint8_t offset)
{
    if (state != memory || offset >= sizeof memory) {
        die("a read outside of the record");
    }
    return memory[offset];
}

static uint8_t torn_value(uint8_t old, uint8_t new)
{
    return strcmp(torn, "old") == 0     ? old
           : strcmp(torn, "new") == 0   ? new
           : strcmp(torn, "ones") == 0  ? 0xff
           : strcmp(torn, "zeros") == 0 ? 0
                                        : (uint8_t)((old & 0x5a) | (new & 0xa5));
}

static void write_byte(void *state, uint8_t offset, uint8_t byte)
{
    if (state != memory || offset >= sizeof memory) {
        die("a write outside of the record");
    }
    if (offset != stuck) {
        memory[offset] = ++writes == cut ? torn_value(memory[offset], byte) : byte;
    }
    if (writes == cut) {
        longjmp(power, 1);
    }
}

/* `state` is a word of the command. */
static int give(void *state, uint8_t *output, size_t length)
{
    const char *const first = state;

    for (size_t i = 0; i < length; i++) {
        output[i] = (uint8_t)(strtoul(first, NULL, 10) + i);
    }
    return strcmp(first, "-") == 0 ? -1 : 0;
}

static int give_full(void *state, uint8_t *output, size_t length)
{
    full_starts++;
    return give(state, output, length);
}

static char *word(void)
{
    char *const found = strtok(NULL, " \n");

    if (found == NULL) {
        die("the command is too short");
    }
    return found;
}

static void print(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        printf("%02x", bytes[i]);
    }
}

static void boot(void)
{
    static struct tatu_drbg drbg;
    static struct tatu_saved_seed saved;
    uint8_t output[16];
    int result;

    cut = strtoul(word(), NULL, 10);
    torn = word();
    saved.read = read_byte;
    saved.write = write_byte;
    saved.memory = memory;
    saved.fresh = give;
    saved.fresh_state = word();
    saved.full = give_full;
    saved.full_state = word();
    writes = full_starts = 0;
    memset(&drbg, 0, sizeof drbg);
    if (setjmp(power) != 0) {
        printf("cut");
        return;
    }
    result = tatu_saved_seed_start(&saved, &drbg);
    if (tatu_drbg_generate(&drbg, output, sizeof output) != (result == TATU_OK ? TATU_OK : TATU_ERR_EXHAUSTED)) {
        die("the generator works although it was not started");
    }
    printf("%d ", result);
    print(output, sizeof output);
    printf(" %lu %lu", full_starts, writes);
}

int main(void)
{
    static char line[1 << 10];

    memset(memory, 0xff, sizeof memory);
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const command = strtok(line, " \n");

        if (command == NULL) {
            die("an empty command");
        } else if (strcmp(command, "boot") == 0) {
            boot();
        } else if (strcmp(command, "memory") == 0) {
            const char *const hex = word();

            for (size_t i = 0; i < sizeof memory; i++) {
                unsigned value;
                if (sscanf(hex + 2 * i, "%2x", &value) != 1) {
                    die("not hexadecimal");
                }
                memory[i] = (uint8_t)value;
            }
            print(memory, sizeof memory);
        } else if (strcmp(command, "dump") == 0) {
            print(memory, sizeof memory);
        } else if (strcmp(command, "stuck") == 0) {
            const char *const offset = word();

            stuck = strcmp(offset, "none") == 0 ? -1 : strtol(offset, NULL, 10);
            printf("%ld", stuck);
        } else {
            die("no such command");
        }
        printf("\n");
    }
    return 0;
}
