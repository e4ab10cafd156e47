/* Operations of the contract (contract.h). */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#define MESSAGE_BYTES 128

static struct {
    GUARD_IN_FRONT
    bancada_prf_context context;
    uint8_t guard[GUARD_BYTES];
} kept;
BUFFER key[BANCADA_KEY_BYTES];
BUFFER message[MESSAGE_BYTES];
CHECKED_BUFFER(output, BANCADA_DIGEST_BYTES + GUARD_BYTES);
static uint8_t guards_hold;

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    memset(&facts, 0, sizeof facts);
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.encrypt_context_bytes = sizeof kept.context;
    return facts;
}

static struct buffer buffer_of(uint8_t *bytes, size_t size)
{
    struct buffer found = {bytes, size};
    return found;
}

struct buffer operations_buffer(uint8_t number)
{
    switch (number) {
    case BANCADA_BUFFER_KEY:
        return buffer_of(key, sizeof key);
    case BANCADA_BUFFER_MESSAGE:
        return buffer_of(message, sizeof message);
    case BANCADA_BUFFER_OUTPUT:
        return buffer_of(output, BANCADA_DIGEST_BYTES);
    case BUFFER_GUARDS:
        guards_hold = guard_holds(output + BANCADA_DIGEST_BYTES) && guard_holds(kept.guard);
        return buffer_of(&guards_hold, 1);
    default:
        return buffer_of(NULL, 0);
    }
}

uint8_t operations_known(uint8_t operation)
{
    return operation == OPERATION_EMPTY || operation == BANCADA_OPERATION_SET_KEY ||
           operation == BANCADA_OPERATION_EVALUATE;
}

void operations_guard(void)
{
    guard_set(output + BANCADA_DIGEST_BYTES);
    guard_set(kept.guard);
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
    case BANCADA_OPERATION_SET_KEY:
        DEVICE_REGION_BEGIN();
        bancada_set_key(&kept.context, key);
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_EVALUATE:
        DEVICE_REGION_BEGIN();
        bancada_prf(&kept.context, output, message, length);
        DEVICE_REGION_END();
        break;
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
GUARD_NAMES("output,context");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, output, BANCADA_DIGEST_BYTES);
    act(1, (uint8_t *)&kept.context, sizeof kept.context);
}
#endif
