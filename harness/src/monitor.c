#include "bancada/monitor.h"

#include <string.h>

#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"

enum command { COMMAND_IDENTIFY = 1, COMMAND_WRITE = 2, COMMAND_CALL = 3, COMMAND_READ = 4 };

#define BODY_BYTES DEVICE_BODY_BYTES
#define HEADER_BYTES 5
#define CRC_BYTES 2
#define FRAME_BYTES (HEADER_BYTES + BODY_BYTES + CRC_BYTES + 2)

/* COBS: a group of 254 bytes is the longest, and no zero follows it. */
#define LONGEST_GROUP 0xff
#if FRAME_BYTES < LONGEST_GROUP
#define IS_LONGEST(start, end) 0
#else
#define IS_LONGEST(start, end) ((end) - (start) == LONGEST_GROUP - 1)
#endif

/* On a small device the monitor is small too: it shares the flash with what is measured. */
#if FRAME_BYTES < 255
typedef uint8_t frame_size;
#else
typedef size_t frame_size;
#endif

static uint8_t frame[FRAME_BYTES];
static frame_size reply_bytes;

/* CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xffff. */
static uint16_t crc16(const uint8_t *bytes, frame_size length)
{
    uint16_t crc = 0xffff;
    while (length--) {
        crc ^= (uint16_t)((uint16_t)*bytes++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1);
        }
    }
    return crc;
}

static uint16_t get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)((uint16_t)bytes[1] << 8));
}

/* What is larger than the device can address is larger than every buffer. */
static size_t get_size(const uint8_t *bytes)
{
#if SIZE_MAX == 0xffff
    return (bytes[2] | bytes[3]) != 0 ? SIZE_MAX : get16(bytes);
#else
    return get16(bytes) | (size_t)get16(bytes + 2) << 16;
#endif
}

static void put16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *bytes, uint32_t value)
{
    put16(bytes, (uint16_t)value);
    put16(bytes + 2, (uint16_t)(value >> 16));
}

/* Receives up to the zero that ends a frame, undoing COBS on the way. Returns the payload's size, 0 if the frame is
 * bad. */
static frame_size receive(void)
{
    frame_size size = 0;
    uint8_t bad = 0;
    uint8_t left = 0;        /* bytes of the current COBS group still to come */
    uint8_t zero_follows = 0; /* the group that ended stood for a zero */
    for (;;) {
        uint8_t byte = device_get();
        if (byte == 0) {
            break;
        }
        if (left == 0) {
            if (zero_follows) {
                if (size < FRAME_BYTES) {
                    frame[size++] = 0;
                } else {
                    bad = 1;
                }
            }
            left = (uint8_t)(byte - 1);
            zero_follows = byte != LONGEST_GROUP;
            continue;
        }
        left--;
        if (size == FRAME_BYTES) {
            bad = 1;
            continue;
        }
        frame[size++] = byte;
    }
    if (bad || left || size < 2 + CRC_BYTES) {
        return 0;
    }
    size = (frame_size)(size - CRC_BYTES);
    uint16_t stated = (uint16_t)((uint16_t)frame[size] << 8 | frame[size + 1]);
    return crc16(frame, size) == stated ? size : 0;
}

/* COBS of frame[0 .. size) and its CRC, then the zero. */
static void send(frame_size size)
{
    uint16_t crc = crc16(frame, size);
    frame[size] = (uint8_t)(crc >> 8);
    frame[size + 1] = (uint8_t)crc;
    size = (frame_size)(size + CRC_BYTES);
    frame_size start = 0;
    for (;;) {
        frame_size end = start;
        while (end < size && frame[end] != 0 && !IS_LONGEST(start, end)) {
            end++;
        }
        uint8_t is_longest = IS_LONGEST(start, end);
        device_put((uint8_t)(end - start + 1));
        while (start < end) {
            device_put(frame[start++]);
        }
        if (end == size) {
            break;
        }
        start = (frame_size)(is_longest ? end : end + 1);
    }
    device_put(0);
}

#if defined(BANCADA_CHECKED)

/* What the host reads as the buffer MONITOR_CHANGED. */
uint8_t monitor_changed[6];

static void guard_put(uint8_t number, uint8_t *bytes, size_t length)
{
    (void)number;
    guard_set(bytes - GUARD_BYTES);
    guard_set(bytes + length);
}

static void guard_look(uint8_t number, uint8_t *bytes, size_t length)
{
    uint8_t changed = (uint8_t)(!guard_holds(bytes - GUARD_BYTES) | !guard_holds(bytes + length) << 1);
    monitor_changed[number / 4] |= (uint8_t)(changed << (2 * (number % 4)));
}

static int8_t checked_call_of(uint8_t operation, size_t length)
{
    operations_guarded(guard_put, operation, length);
    int8_t returned = operations_call(operation, length);
    operations_guarded(guard_look, operation, length);
    return returned;
}

#define operations_call checked_call_of

#endif

/* One call. Only with `timing` is the count right beyond 2^16 cycles: the call is then repeated on the coarse timer,
 * which says how many times the fine one went round. The repetition works on what the first call left in the
 * buffers. */
static uint32_t call(uint8_t operation, size_t length, uint8_t timing, int8_t *returned)
{
    operations_prepare(operation, length);
    *returned = operations_call(operation, length);
    uint32_t cycles = device_timer_ticks;
    if (timing && device_timer_overflowed()) {
        device_timer_use_coarse(true);
        operations_prepare(operation, length);
        (void)operations_call(operation, length);
        device_timer_use_coarse(false);
        uint32_t about = device_timer_ticks * DEVICE_COARSE_CYCLES;
        uint32_t rounds = (about - cycles + (uint32_t)0x8000) >> 16;
        cycles += rounds << 16;
    }
    return cycles;
}

/* Four bytes, of which those that the device's own sizes do not reach are zero already. */
static void put_size(uint8_t *bytes, size_t value)
{
#if SIZE_MAX == 0xffff
    put16(bytes, value);
#else
    put32(bytes, (uint32_t)value);
#endif
}

#define FACTS_BYTES 20

static uint8_t identify(uint8_t *reply)
{
    struct operations_facts facts = operations_facts();
    memset(reply, 0, FACTS_BYTES);
    reply[0] = MONITOR_PROTOCOL;
    reply[1] = facts.block_bytes;
    put16(reply + 2, facts.key_bytes);
    put_size(reply + 4, facts.encrypt_context_bytes);
    put_size(reply + 8, facts.decrypt_context_bytes);
    put32(reply + 12, DEVICE_CLOCK_HZ);
    put_size(reply + 16, BODY_BYTES);
    reply_bytes = FACTS_BYTES;
    return MONITOR_OK;
}

/* What a request says after the number of its buffer or operation: offset and length, or count and length. */
struct request {
    size_t first;
    size_t length;
};

static uint8_t copy(uint8_t reading, uint8_t *bytes, size_t size, const struct request *request, uint8_t *other)
{
    if (bytes == NULL) {
        return MONITOR_UNKNOWN_BUFFER;
    }
    if (request->length > BODY_BYTES || request->first > size || request->length > size - request->first) {
        return MONITOR_OUT_OF_BOUNDS;
    }
    bytes += request->first;
    if (reading) {
        memcpy(other, bytes, request->length);
        reply_bytes = (frame_size)request->length;
    } else {
        memcpy(bytes, other, request->length);
    }
    return MONITOR_OK;
}

static uint8_t call_times(uint8_t operation, uint8_t chain, const struct request *request, uint8_t *reply)
{
    int8_t returned = 0;
    uint32_t cycles = 0;
    if (!operations_known(operation)) {
        return MONITOR_UNKNOWN_OPERATION;
    }
    for (size_t left = request->first; left != 0; left--) {
        cycles = call(operation, request->length, chain & MONITOR_TIMING, &returned);
        operations_chain(chain & (uint8_t)~MONITOR_TIMING);
    }
    reply[0] = (uint8_t)returned;
    put32(reply + 1, cycles);
    reply_bytes = 5;
    return MONITOR_OK;
}

#define WRITE_BYTES 5
#define READ_BYTES 9
#define CALL_BYTES 10

static uint8_t handle(uint8_t *body, frame_size body_bytes, uint8_t *reply)
{
    uint8_t command = frame[1];
    struct request request;
    reply_bytes = 0;
    if (command == COMMAND_IDENTIFY) {
        return identify(reply);
    }
    request.first = get_size(body + 1);
    request.length = get_size(body + 5);
    if (command == COMMAND_CALL && body_bytes == CALL_BYTES) {
        return call_times(body[0], body[9], &request, reply);
    }
    if (command == COMMAND_WRITE && body_bytes >= WRITE_BYTES) {
        request.length = (size_t)body_bytes - WRITE_BYTES;
        reply = body + WRITE_BYTES;
    } else if (command != COMMAND_READ || body_bytes != READ_BYTES) {
        return command <= COMMAND_READ ? MONITOR_MALFORMED : MONITOR_UNKNOWN_COMMAND;
    }
    struct buffer buffer = operations_buffer(body[0]);
#if defined(BANCADA_CHECKED)
    if (body[0] == MONITOR_CHANGED) {
        buffer.bytes = monitor_changed;
        buffer.size = sizeof monitor_changed;
    }
#endif
    return copy(command == COMMAND_READ, buffer.bytes, buffer.size, &request, reply);
}

int main(void)
{
    device_init();
    operations_guard();
    for (;;) {
        device_waiting();
        frame_size frame_bytes = receive();
        if (frame_bytes == 0) {
            continue;
        }
        uint8_t status = handle(frame + 2, (frame_size)(frame_bytes - 2), frame + 4);
        frame[1] = status;
        put16(frame + 2, device_boot_nonce());
        send((frame_size)(4 + reply_bytes));
    }
}
