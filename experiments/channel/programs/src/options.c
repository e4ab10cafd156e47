#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define MOST_BYTES 1073741824 /* a body's length has 32 bits, and a process its memory twice */

static int number(uint64_t *value, const char *name, const char *text, uint64_t least, uint64_t most,
                  struct problem *problem)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long found = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || found < least || found > most) {
        return say(problem, "%s is a number from %llu to %llu, not '%s'", name, (unsigned long long)least,
                   (unsigned long long)most, text);
    }
    *value = found;
    return 0;
}

static int take(struct options *options, const char *name, const char *value, int is_client, struct problem *problem)
{
    uint64_t found = 0;
    if (strcmp(name, "--address") == 0) {
        struct in_addr place;
        if (inet_pton(AF_INET, value, &place) != 1) {
            return say(problem, "'%s' is no IPv4 address; write one like 127.0.0.1", value);
        }
        options->address = value;
    } else if (strcmp(name, "--port") == 0) {
        if (number(&found, name, value, is_client ? 1 : 0, 65535, problem) != 0) {
            return -1;
        }
        options->port = (uint16_t)found;
    } else if (strcmp(name, "--mode") == 0) {
        options->protection = protection_named(value);
        if (options->protection == NULL) {
            return say(problem, "there is no mode '%s'; there are: %s", value, protection_names());
        }
    } else if (strcmp(name, "--key-file") == 0) {
        options->key_file = value;
    } else if (strcmp(name, "--message") == 0 && is_client) {
        options->message = value;
    } else if (strcmp(name, "--store") == 0) {
        options->store = value;
    } else if (strcmp(name, "--exchanges") == 0) {
        if (number(&found, name, value, 1, 1000000, problem) != 0) {
            return -1;
        }
        options->exchanges = (unsigned)found;
    } else if (strcmp(name, "--timeout-s") == 0) {
        if (number(&found, name, value, 1, 86400, problem) != 0) {
            return -1;
        }
        options->timeout_ns = (int64_t)found * NS_A_SECOND;
    } else if (strcmp(name, "--largest-bytes") == 0) {
        if (number(&found, name, value, 1, MOST_BYTES, problem) != 0) {
            return -1;
        }
        options->largest_bytes = (size_t)found;
    } else {
        return say(problem, "there is no option '%s'", name);
    }
    return 0;
}

int options_read(struct options *options, int count, char **arguments, int is_client, struct problem *problem)
{
    const struct options defaults = {"127.0.0.1", 0, NULL, NULL, NULL, NULL, 1, 30 * NS_A_SECOND, 16777216};
    int has_port = 0;
    *options = defaults;
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count) {
            return say(problem, "%s needs a value", arguments[i]);
        }
        if (take(options, arguments[i], arguments[i + 1], is_client, problem) != 0) {
            return -1;
        }
        has_port |= strcmp(arguments[i], "--port") == 0;
    }
    if (!has_port || options->protection == NULL || options->key_file == NULL || options->store == NULL ||
        (is_client && options->message == NULL)) {
        return say(
            problem,
            "needs --port, --mode, --key-file, --store%s; may have --address, --exchanges, --timeout-s, --largest-bytes",
            is_client ? ", --message" : "");
    }
    return 0;
}
