/* Operations of the contract (contract.h), for a hash and for what is called as one: the primitives "mac" and
 * "keystream" name their own operations and buffers as those of a hash, and include this file. Only a keystream has
 * BANCADA_OPERATION_STREAM. */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

/* The longest message that is measured, 512 bytes or, where there is room, 16 blocks of SHA3-256, and a little, so
 * that tests reach past it. */
#if defined(DEVICE_PACKET_BYTES)
#define MESSAGE_BYTES 2184
#else
#define MESSAGE_BYTES 520
#endif

/* Messages of a keystream: the longest is 80 blocks of 64 bytes, and one more for tests. */
#if defined(DEVICE_PACKET_BYTES) && defined(BANCADA_STREAM) && defined(BANCADA_OPERATION_STREAM)
#define HAS_STREAM 1
#define STREAM_BYTES 5184
#else
#define HAS_STREAM 0
#endif

static struct {
    GUARD_IN_FRONT
    bancada_hash_context context;
    uint8_t guard[GUARD_BYTES];
} kept;
BUFFER message[MESSAGE_BYTES];
CHECKED_BUFFER(digest, BANCADA_DIGEST_BYTES + GUARD_BYTES);
static uint8_t guards_hold;
#if HAS_STREAM
BUFFER input[STREAM_BYTES];
CHECKED_BUFFER(output, STREAM_BYTES + GUARD_BYTES);
#endif
#if BANCADA_KEY_BYTES
BUFFER key[BANCADA_KEY_BYTES];
#endif

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.block_bytes = 0;
#if defined(BANCADA_ONE_SHOT)
    facts.encrypt_context_bytes = 0;
#else
    facts.encrypt_context_bytes = sizeof kept.context;
#endif
    facts.decrypt_context_bytes = 0;
    return facts;
}

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
#if BANCADA_KEY_BYTES
    case BANCADA_BUFFER_KEY:
        found.bytes = key;
        found.size = sizeof key;
        break;
#endif
    case BANCADA_BUFFER_MESSAGE:
        found.bytes = message;
        found.size = sizeof message;
        break;
    case BANCADA_BUFFER_DIGEST:
        found.bytes = digest;
        found.size = BANCADA_DIGEST_BYTES;
        break;
#if HAS_STREAM
    case BANCADA_BUFFER_INPUT:
        found.bytes = input;
        found.size = sizeof input;
        break;
    case BANCADA_BUFFER_OUTPUT:
        found.bytes = output;
        found.size = STREAM_BYTES;
        break;
#endif
    case BUFFER_GUARDS:
        guards_hold = guard_holds(digest + BANCADA_DIGEST_BYTES) && guard_holds(kept.guard);
#if HAS_STREAM
        guards_hold = guards_hold && guard_holds(output + STREAM_BYTES);
#endif
        found.bytes = &guards_hold;
        found.size = sizeof guards_hold;
        break;
    default:
        break;
    }
    return found;
}

uint8_t operations_known(uint8_t operation)
{
    switch (operation) {
    case OPERATION_EMPTY:
    case BANCADA_OPERATION_HASH:
#if BANCADA_KEY_BYTES
    case BANCADA_OPERATION_SET_KEY:
#endif
#if HAS_STREAM
    case BANCADA_OPERATION_STREAM:
#endif
        return 1;
    default:
        return 0;
    }
}

void operations_guard(void)
{
    guard_set(digest + BANCADA_DIGEST_BYTES);
    guard_set(kept.guard);
#if HAS_STREAM
    guard_set(output + STREAM_BYTES);
#endif
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
}

int8_t operations_call(uint8_t operation, size_t length)
{
    switch (operation) {
    case OPERATION_EMPTY:
        DEVICE_REGION_BEGIN();
        DEVICE_REGION_END();
        break;
#if BANCADA_KEY_BYTES
    case BANCADA_OPERATION_SET_KEY:
        DEVICE_REGION_BEGIN();
        bancada_set_key(&kept.context, key);
        DEVICE_REGION_END();
        break;
#endif
    case BANCADA_OPERATION_HASH:
        DEVICE_REGION_BEGIN();
        bancada_hash(&kept.context, digest, message, length);
        DEVICE_REGION_END();
        break;
#if HAS_STREAM
    case BANCADA_OPERATION_STREAM:
        DEVICE_REGION_BEGIN();
        bancada_stream(&kept.context, output, input, length, message);
        DEVICE_REGION_END();
        break;
#endif
    default:
        break;
    }
    return 0;
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("output,context,message");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, digest, BANCADA_DIGEST_BYTES);
    act(1, (uint8_t *)&kept.context, sizeof kept.context);
#if HAS_STREAM
    if (operation == BANCADA_OPERATION_STREAM) {
        act(2, output, length);
    }
#endif
}
#endif
