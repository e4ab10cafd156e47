/* Of the firmware's host library: what is left of a key on the stack. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/frame.h"

#include "firmware_host.h"

#define STACK_BYTES 262144

static uint8_t stack[STACK_BYTES] __attribute__((aligned(4096)));
static struct counter stacked_counter;
static uint8_t stacked_frame[FRAME_BYTES];

static void *start_counter(void *nothing)
{
    (void)counter_start(&stacked_counter, &host);
    return nothing;
}

static void *use_a_block(void *nothing)
{
    uint32_t value;
    for (uint16_t i = 0; i <= COUNTER_BLOCK; i++) {
        (void)counter_take(&stacked_counter, &host, &value);
    }
    return nothing;
}

static void *seal_a_frame(void *nothing)
{
    static const uint8_t payload[FRAME_PAYLOAD_BYTES];
    (void)frame_seal(stacked_frame, &stacked_counter.identity, FRAME_TYPE_DATA, 0, payload);
    return nothing;
}

/* How often the key lies on the stack, one of our own, of something that has used it and is over. */
static int keys_left_by(void *(*use)(void *), const uint8_t *key)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int found = 0;

    memset(stack, 0, sizeof stack);
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, sizeof stack) != 0 ||
        pthread_create(&thread, &attributes, use, NULL) != 0 || pthread_join(thread, NULL) != 0) {
        abort();
    }
    for (size_t i = 0; i + FRAME_KEY_BYTES <= sizeof stack; i++) {
        found += memcmp(stack + i, key, FRAME_KEY_BYTES) == 0;
    }
    return found;
}

/* The same for each thing that touches the key, one after the other. */
void host_keys_left_on_stack(const uint8_t *key, int left[3])
{
    left[0] = keys_left_by(start_counter, key);
    left[1] = keys_left_by(use_a_block, key);
    left[2] = keys_left_by(seal_a_frame, key);
}
