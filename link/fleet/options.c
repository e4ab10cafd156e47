#include "fleet/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet/fail.h"

static const char help[] =
    "fleet: plays thousands of sensors with the firmware's own protocol code, and writes what their gateway would\n"
    "send to the Raspberry Pi. The same seeds give the same bytes.\n"
    "\n"
    "  --keys FILE        device,epoch,suite,master_hex,key_hex,slot,slots,period (bancada link provision --fleet)\n"
    "  --output FILE      where the serial stream goes: a file, a serial port, - for standard output (the default)\n"
    "  --pty NAME         ... or a new pseudo-terminal, and a symbolic link NAME to it\n"
    "  --state FILE       the sensors' EEPROMs: with it, counters go on in the next run instead of starting again\n"
    "  --log FILE         a line of JSON for each frame: what was sent, and what became of it (- for standard output)\n"
    "  --sensors N        only the first N of the table\n"
    "  --period S         seconds, instead of the table's\n"
    "  --frames N         end after N frames\n"
    "  --duration S       end after S seconds of the sensors' time\n"
    "  --start-time T     Unix time at the beginning (default: now)\n"
    "  --speed X          times faster than the clock; 0: as fast as it goes (default 1)\n"
    "  --baud B           no more than B / 10 bytes a second\n"
    "  --seed N           of the sensors' readings and resets (default 1)\n"
    "  --air-seed N       of what happens on the air (default 1)\n"
    "\n"
    "Probabilities, for each frame:\n"
    "  --reset P          the sensor is reset after it\n"
    "  --loss P           it is lost\n"
    "  --corrupt P        one of its bits is flipped\n"
    "  --truncate P       some of its bytes are lost\n"
    "  --duplicate P      it arrives twice\n"
    "  --replay P         an earlier frame arrives again behind it\n"
    "  --forge P          a forged frame of the same device arrives behind it\n"
    "  --glue P           the next frame follows without a gap\n"
    "  --garbage P        1 to 20 random bytes stand in front of it\n"
    "  --noise P          a byte of the serial line's message is changed\n";

enum choice {
    CHOICE_KEYS = 256,
    CHOICE_OUTPUT,
    CHOICE_PTY,
    CHOICE_STATE,
    CHOICE_LOG,
    CHOICE_SENSORS,
    CHOICE_PERIOD,
    CHOICE_FRAMES,
    CHOICE_DURATION,
    CHOICE_START_TIME,
    CHOICE_SPEED,
    CHOICE_BAUD,
    CHOICE_SEED,
    CHOICE_AIR_SEED,
    CHOICE_RESET,
    CHOICE_LOSS,
    CHOICE_CORRUPT,
    CHOICE_TRUNCATE,
    CHOICE_DUPLICATE,
    CHOICE_REPLAY,
    CHOICE_FORGE,
    CHOICE_GLUE,
    CHOICE_GARBAGE,
    CHOICE_NOISE,
    CHOICE_HELP
};

static const struct option choices[] = {
    {"keys", required_argument, NULL, CHOICE_KEYS},
    {"output", required_argument, NULL, CHOICE_OUTPUT},
    {"pty", required_argument, NULL, CHOICE_PTY},
    {"state", required_argument, NULL, CHOICE_STATE},
    {"log", required_argument, NULL, CHOICE_LOG},
    {"sensors", required_argument, NULL, CHOICE_SENSORS},
    {"period", required_argument, NULL, CHOICE_PERIOD},
    {"frames", required_argument, NULL, CHOICE_FRAMES},
    {"duration", required_argument, NULL, CHOICE_DURATION},
    {"start-time", required_argument, NULL, CHOICE_START_TIME},
    {"speed", required_argument, NULL, CHOICE_SPEED},
    {"baud", required_argument, NULL, CHOICE_BAUD},
    {"seed", required_argument, NULL, CHOICE_SEED},
    {"air-seed", required_argument, NULL, CHOICE_AIR_SEED},
    {"reset", required_argument, NULL, CHOICE_RESET},
    {"loss", required_argument, NULL, CHOICE_LOSS},
    {"corrupt", required_argument, NULL, CHOICE_CORRUPT},
    {"truncate", required_argument, NULL, CHOICE_TRUNCATE},
    {"duplicate", required_argument, NULL, CHOICE_DUPLICATE},
    {"replay", required_argument, NULL, CHOICE_REPLAY},
    {"forge", required_argument, NULL, CHOICE_FORGE},
    {"glue", required_argument, NULL, CHOICE_GLUE},
    {"garbage", required_argument, NULL, CHOICE_GARBAGE},
    {"noise", required_argument, NULL, CHOICE_NOISE},
    {"help", no_argument, NULL, CHOICE_HELP},
    {NULL, 0, NULL, 0},
};

static uint64_t whole(const char *name, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(optarg, &end, 10);
    if (*optarg < '0' || *optarg > '9' || *end != '\0' || errno != 0 || value > most) {
        fail("--%s: '%s' is not a whole number from 0 to %llu.", name, optarg, (unsigned long long)most);
    }
    return value;
}

static double number(const char *name, double most)
{
    char *end;
    double value = strtod(optarg, &end);
    if (end == optarg || *end != '\0' || !(value >= 0 && value <= most)) {
        fail("--%s: '%s' is not a number from 0 to %g.", name, optarg, most);
    }
    return value;
}

static void take_place(struct options *options, int choice)
{
    switch (choice) {
    case CHOICE_KEYS:
        options->keys = optarg;
        break;
    case CHOICE_OUTPUT:
        options->output = optarg;
        break;
    case CHOICE_PTY:
        options->pty = optarg;
        break;
    case CHOICE_STATE:
        options->state = optarg;
        break;
    default:
        options->log = optarg;
        break;
    }
}

static void take_amount(struct options *options, int choice, const char *name)
{
    switch (choice) {
    case CHOICE_SENSORS:
        options->sensors = (uint32_t)whole(name, 65536);
        break;
    case CHOICE_PERIOD:
        options->period_s = (int)whole(name, 255);
        break;
    case CHOICE_FRAMES:
        options->frames = whole(name, UINT64_MAX);
        break;
    case CHOICE_DURATION:
        options->duration_ms = (uint64_t)(number(name, 1e9) * 1000);
        break;
    case CHOICE_START_TIME:
        options->start_s = (uint32_t)whole(name, UINT32_MAX);
        break;
    case CHOICE_SPEED:
        options->speed = number(name, 1e9);
        break;
    case CHOICE_BAUD:
        options->baud = (uint32_t)whole(name, 100000000);
        break;
    case CHOICE_SEED:
        options->seed = whole(name, UINT64_MAX);
        break;
    default:
        options->air_seed = whole(name, UINT64_MAX);
        break;
    }
}

static double *probability_of(struct options *options, int choice)
{
    switch (choice) {
    case CHOICE_RESET:
        return &options->reset;
    case CHOICE_LOSS:
        return &options->loss;
    case CHOICE_CORRUPT:
        return &options->corrupt;
    case CHOICE_TRUNCATE:
        return &options->truncate;
    case CHOICE_DUPLICATE:
        return &options->duplicate;
    case CHOICE_REPLAY:
        return &options->replay;
    case CHOICE_FORGE:
        return &options->forge;
    case CHOICE_GLUE:
        return &options->glue;
    case CHOICE_GARBAGE:
        return &options->garbage;
    default:
        return &options->noise;
    }
}

struct options options_parse(int count, char **arguments)
{
    struct options options;
    int index = 0;

    memset(&options, 0, sizeof options);
    options.period_s = -1;
    options.speed = 1;
    options.seed = 1;
    options.air_seed = 1;
    options.start_s = (uint32_t)time(NULL);
    opterr = 0;
    for (;;) {
        int choice = getopt_long(count, arguments, "", choices, &index);
        if (choice == -1) {
            break;
        }
        if (choice == '?') {
            fail("%s: no such option, or its value is missing; --help lists them.", arguments[optind - 1]);
        }
        if (choice == CHOICE_HELP) {
            fputs(help, stdout);
            exit(0);
        }
        if (choice <= CHOICE_LOG) {
            take_place(&options, choice);
        } else if (choice < CHOICE_RESET) {
            take_amount(&options, choice, choices[index].name);
        } else {
            *probability_of(&options, choice) = number(choices[index].name, 1);
        }
    }
    if (optind < count) {
        fail("'%s' is not an option; --help lists them.", arguments[optind]);
    }
    if (options.keys == NULL) {
        fail("--keys is missing: the table that 'bancada link provision --fleet' writes.");
    }
    if (options.pty != NULL && options.output != NULL) {
        fail("--pty and --output exclude each other.");
    }
    if (options.output == NULL && options.pty == NULL) {
        options.output = "-";
    }
    if (options.log != NULL && options.output != NULL && strcmp(options.log, "-") == 0 &&
        strcmp(options.output, "-") == 0) {
        fail("--log - needs another place for the stream: --output FILE or --pty NAME.");
    }
    return options;
}
