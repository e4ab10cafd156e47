/* Plays a fleet of sensors and the gateway that hears them: --help says how. MIT licence. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/air.h"
#include "fleet/fail.h"
#include "fleet/keys.h"
#include "fleet/options.h"
#include "fleet/output.h"
#include "fleet/sensor.h"

#define ERASED 0xff

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

/* The EEPROMs of all sensors, one behind the other. As a file they are shared memory: what a sensor has written is
 * there even if the fleet is killed in the next moment, as in an EEPROM. */
static uint8_t *open_eeproms(const char *path, size_t count)
{
    size_t length = count * SENSOR_EEPROM_BYTES;
    size_t had = 0;
    int file = -1;

    if (path != NULL) {
        struct stat status;
        file = open(path, O_RDWR | O_CREAT, 0600);
        if (file < 0 || fstat(file, &status) != 0) {
            fail("--state %s: %s.", path, strerror(errno));
        }
        had = (size_t)status.st_size;
        if (had < length && ftruncate(file, (off_t)length) != 0) {
            fail("--state %s: %s.", path, strerror(errno));
        }
    }
    uint8_t *eeproms =
        mmap(NULL, length, PROT_READ | PROT_WRITE, file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
    if (eeproms == MAP_FAILED) {
        fail("no memory for %zu EEPROMs: %s.", count, strerror(errno));
    }
    if (had < length) {
        memset(eeproms + had, ERASED, length - had);
    }
    return eeproms;
}

/* A heap of sensors, the one that is due first at the top. Equal times in the table's order, so that runs repeat. */
struct heap {
    struct sensor **sensors;
    size_t count;
    struct sensor *all; /* in the table's order */
};

static bool before(const struct sensor *a, const struct sensor *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a < b;
}

static void sift_down(struct heap *heap, size_t at)
{
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++) {
            if (before(heap->sensors[child], heap->sensors[first])) {
                first = child;
            }
        }
        if (first == at) {
            return;
        }
        struct sensor *moved = heap->sensors[at];
        heap->sensors[at] = heap->sensors[first];
        heap->sensors[first] = moved;
        at = first;
    }
}

static void drop_top(struct heap *heap)
{
    heap->sensors[0] = heap->sensors[--heap->count];
    sift_down(heap, 0);
}

static struct heap start_sensors(const struct options *options, const struct device *devices, size_t count)
{
    struct heap heap = {calloc(count, sizeof(struct sensor *)), 0, calloc(count, sizeof(struct sensor))};
    uint8_t *eeproms = open_eeproms(options->state, count);

    if (heap.sensors == NULL || heap.all == NULL) {
        fail("no memory for %zu sensors.", count);
    }
    for (size_t i = 0; i < count; i++) {
        struct device device = devices[i];
        if (options->period_s >= 0) {
            device.schedule.period_s = (uint8_t)options->period_s;
        }
        if (sensor_start(&heap.all[i], &device, eeproms + i * SENSOR_EEPROM_BYTES, options->seed)) {
            heap.sensors[heap.count++] = &heap.all[i];
        }
    }
    for (size_t i = heap.count / 2; i-- > 0;) {
        sift_down(&heap, i);
    }
    return heap;
}

static void flush(const struct air *air)
{
    output_flush(air->output);
    if (air->log != NULL) {
        (void)fflush(air->log);
    }
}

/* Waits until the clock has come to `due_ms` of the fleet's time; what was held goes out first. */
static void pace(const struct options *options, const struct air *air, uint64_t start_ns, uint64_t due_ms)
{
    if (options->speed > 0) {
        uint64_t due_ns = start_ns + (uint64_t)((double)due_ms * 1e6 / options->speed);
        if (due_ns > output_now_ns()) {
            flush(air);
            while (!stopped && due_ns > output_now_ns()) {
                output_sleep_until_ns(due_ns);
            }
        }
    }
}

static uint64_t run(const struct options *options, struct heap *heap, struct air *air)
{
    struct random resets = {options->seed ^ UINT64_C(0x5245534554)};
    uint64_t start_ns = output_now_ns();
    uint64_t frames = 0;

    while (!stopped && heap->count > 0 && (options->frames == 0 || frames < options->frames)) {
        struct sensor *sensor = heap->sensors[0];
        uint64_t now_ms = sensor->due_ms;
        struct sent sent;

        if (options->duration_ms != 0 && now_ms >= options->duration_ms) {
            break;
        }
        pace(options, air, start_ns, now_ms);
        if (stopped) {
            break;
        }
        bool alive = sensor_send(sensor, options->start_s, &sent);
        if (alive) {
            air_status(air, now_ms);
            air_carry(air, &sent, now_ms);
            frames++;
        }
        if (alive && random_chance(&resets, options->reset)) {
            alive = sensor_reset(sensor, now_ms);
        }
        if (alive) {
            sift_down(heap, 0);
        } else {
            drop_top(heap);
        }
    }
    return frames;
}

int main(int count, char **arguments)
{
    struct options options = options_parse(count, arguments);
    struct sigaction action;
    size_t devices_count;
    static struct output output;
    static struct air air;

    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    struct device *devices = keys_read(options.keys, options.sensors, &devices_count);
    struct heap heap = start_sensors(&options, devices, devices_count);
    output_open(&output, &options);
    air_open(&air, &options, &output);
    uint64_t frames = run(&options, &heap, &air);
    air_close(&air);
    output_close(&output, !stopped);
    free(heap.sensors);
    free(heap.all);
    free(devices);
    fprintf(stderr, "fleet: %" PRIu64 " frames of %zu sensors\n", frames, devices_count);
    return 0;
}
