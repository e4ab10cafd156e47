/* Devices with TatuLink for a computer: each with an EEPROM whose power can fail within a write. */
#include <string.h>
#include <tatulink/link.h>
#include <tatulink/why.h>

#define DEVICES 8
#define EEPROM_BYTES 1024

struct device {
    uint8_t eeprom[EEPROM_BYTES];
    uint32_t wear[EEPROM_BYTES];
    uint8_t stuck[EEPROM_BYTES]; /* nonzero: the cell is worn out and keeps what it holds */
    int64_t writes_left;         /* before power fails; negative: it does not */
    uint8_t torn;                /* what the cell holds whose write the power failed in */
    uint64_t writes;
    struct tatulink_storage storage;
    struct tatulink link;
    struct tatulink_opened opened;
};

static struct device devices[DEVICES];

static uint8_t read_byte(void *context, uint16_t address)
{
    return ((struct device *)context)->eeprom[address];
}

/* As on the device: a byte that has its value already is not written. Power fails within the write that exhausts
 * writes_left: that cell holds `torn`, and nothing more is written. */
static void write_byte(void *context, uint16_t address, uint8_t value)
{
    struct device *device = context;

    if (device->eeprom[address] == value || device->writes_left == 0) {
        return;
    }
    device->writes++;
    if (device->writes_left > 0) {
        device->writes_left--;
        if (device->writes_left == 0) {
            value = device->torn;
        }
    }
    device->wear[address]++;
    if (device->stuck[address] == 0) {
        device->eeprom[address] = value;
    }
}

void host_new(int number)
{
    struct device *device = &devices[number];

    memset(device, 0, sizeof *device);
    memset(device->eeprom, 0xff, sizeof device->eeprom);
    device->writes_left = -1;
    device->storage = (struct tatulink_storage){read_byte, write_byte, 0, device};
}

uint8_t *host_eeprom(int number)
{
    return devices[number].eeprom;
}

uint8_t *host_stuck(int number)
{
    return devices[number].stuck;
}

uint64_t host_writes(int number)
{
    return devices[number].writes;
}

uint32_t host_most_wear(int number)
{
    uint32_t most = 0;

    for (int i = 0; i < EEPROM_BYTES; i++) {
        most = devices[number].wear[i] > most ? devices[number].wear[i] : most;
    }
    return most;
}

void host_power_fails_after(int number, int64_t writes, uint8_t torn)
{
    devices[number].writes_left = writes;
    devices[number].torn = torn;
}

bool host_has_power(int number)
{
    return devices[number].writes_left != 0;
}

static const struct tatulink_suite *suite_of(int suite)
{
    return suite == 1 ? &tatulink_ascon : &tatulink_aes_ccm;
}

int host_provision(int number, uint8_t header_bytes, uint8_t tag_bytes, int suite, uint16_t identity, uint8_t epoch,
                   const uint8_t *key)
{
    struct device *device = &devices[number];
    struct tatulink_form form = {header_bytes, tag_bytes};

    return (int)tatulink_provision(&device->link, &device->storage, 0, form, suite_of(suite), identity, epoch, key, 0);
}

/* The same with the key and the settings that the device has. */
int host_rename(int number, uint8_t header_bytes, uint8_t tag_bytes, int suite, uint16_t identity)
{
    struct tatulink *link = &devices[number].link;
    struct tatulink_form form = {header_bytes, tag_bytes};

    return (int)tatulink_provision(link, &devices[number].storage, 0, form, suite_of(suite), identity, link->epoch,
                                   link->key, link->settings);
}

int host_begin(int number, uint8_t header_bytes, uint8_t tag_bytes, int suite)
{
    struct device *device = &devices[number];
    struct tatulink_form form = {header_bytes, tag_bytes};

    return (int)tatulink_begin(&device->link, &device->storage, 0, form, suite_of(suite));
}

int host_seal(int number, uint8_t *packet, uint8_t *packet_bytes, const uint8_t *message, uint8_t bytes,
              uint16_t recipient, uint16_t topic)
{
    return (int)tatulink_seal_for(&devices[number].link, packet, packet_bytes, message, bytes, recipient, topic);
}

int host_open(int number, uint8_t *message, uint8_t *bytes, const uint8_t *packet, uint8_t packet_bytes,
              uint32_t opened[4])
{
    struct tatulink_opened found = {0, 0, 0, 0};
    int status = (int)tatulink_open(&devices[number].link, message, bytes, packet, packet_bytes, &found);

    opened[0] = found.sender;
    opened[1] = found.recipient;
    opened[2] = found.topic;
    opened[3] = found.counter;
    return status;
}

uint32_t host_next(int number)
{
    return devices[number].link.next;
}

/* For counters that take long to reach: as if so many had been used. */
void host_skip_to(int number, uint32_t counter)
{
    devices[number].link.next = counter;
    devices[number].link.mark.value = counter;
}

const char *host_why(int status)
{
    return tatulink_why((enum tatulink_status)status);
}
