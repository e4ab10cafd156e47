#include "fleet/keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fail.h"

#define COLUMNS 8
#define LINE_BYTES 512
#define HEADER "device,epoch,suite,master_hex,key_hex,slot,slots,period"

static unsigned number(const char *path, size_t line, const char *name, const char *text, unsigned least, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < least || value > most) {
        fail("%s, line %zu: %s is '%s', not a number from %u to %u.", path, line, name, text, least, most);
    }
    return (unsigned)value;
}

static void read_key(const char *path, size_t line, const char *text, uint8_t key[FRAME_KEY_BYTES])
{
    if (strlen(text) != 2 * FRAME_KEY_BYTES || strspn(text, "0123456789abcdefABCDEF") != 2 * FRAME_KEY_BYTES) {
        fail("%s, line %zu: key_hex is not 32 hexadecimal digits.", path, line);
    }
    for (size_t i = 0; i < FRAME_KEY_BYTES; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};
        key[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

/* Cuts a line at its commas, empty columns included. */
static size_t split(char *text, char *columns[COLUMNS])
{
    size_t count = 0;
    for (char *from = text; from != NULL && count <= COLUMNS; count++) {
        char *comma = strchr(from, ',');
        if (count < COLUMNS) {
            columns[count] = from;
        }
        if (comma != NULL) {
            *comma++ = '\0';
        }
        from = comma;
    }
    return count;
}

static struct device read_device(const char *path, size_t line, char *text)
{
    struct device device;
    char *columns[COLUMNS];

    if (split(text, columns) != COLUMNS) {
        fail("%s, line %zu: there must be %d columns: " HEADER ".", path, line, COLUMNS);
    }
    device.identity.device = (uint16_t)number(path, line, "device", columns[0], 0, UINT16_MAX);
    device.identity.epoch = (uint8_t)number(path, line, "epoch", columns[1], 0, 15);
    device.identity.suite = (uint8_t)number(path, line, "suite", columns[2], FRAME_SUITE_ASCON, FRAME_SUITE_AES_CCM);
    read_key(path, line, columns[4], device.identity.key);
    device.schedule.slot = (uint8_t)number(path, line, "slot", columns[5], 0, UINT8_MAX);
    device.schedule.slots = (uint8_t)number(path, line, "slots", columns[6], 0, UINT8_MAX);
    device.schedule.period_s = (uint8_t)number(path, line, "period", columns[7], 0, UINT8_MAX);
    return device;
}

struct device *keys_read(const char *path, size_t most, size_t *count)
{
    char text[LINE_BYTES];
    struct device *devices = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");

    if (file == NULL) {
        fail("%s: %s; 'bancada link provision --fleet' writes this table.", path, strerror(errno));
    }
    if (fgets(text, sizeof text, file) == NULL || strncmp(text, HEADER, strlen(HEADER)) != 0) {
        fail("%s: the first line must be: " HEADER, path);
    }
    *count = 0;
    for (size_t line = 2; (most == 0 || *count < most) && fgets(text, sizeof text, file) != NULL; line++) {
        text[strcspn(text, "\r\n")] = '\0';
        if (*text == '\0') {
            continue;
        }
        if (*count == room) {
            room = room == 0 ? 1024 : 2 * room;
            devices = realloc(devices, room * sizeof *devices);
            if (devices == NULL) {
                fail("no memory for %zu devices.", room);
            }
        }
        devices[(*count)++] = read_device(path, line, text);
    }
    fclose(file);
    if (*count == 0) {
        fail("%s has no devices.", path);
    }
    return devices;
}
