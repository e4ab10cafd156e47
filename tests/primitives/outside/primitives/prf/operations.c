/* Operations of the contract (contract.h). */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#define MESSAGE_BYTES 128

static struct {
    GUARDED_OBJECT(bancada_prf_context);
} kept;
BUFFER key[BANCADA_KEY_BYTES];
BUFFER message[MESSAGE_BYTES];
GUARDED_BUFFER(output, BANCADA_DIGEST_BYTES);
GUARD_NAMES("output,context");

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    memset(&facts, 0, sizeof facts);
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.encrypt_context_bytes = sizeof kept.object;
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
        return buffer_of(GUARDED(output), BANCADA_DIGEST_BYTES);
    default:
        return buffer_of(NULL, 0);
    }
}

uint8_t operations_known(uint8_t operation)
{
    return operation == OPERATION_EMPTY || operation == BANCADA_OPERATION_SET_KEY ||
           operation == BANCADA_OPERATION_EVALUATE;
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    guard_put(GUARDED(output), BANCADA_DIGEST_BYTES);
    GUARD_PUT_OBJECT(kept.object);
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
        bancada_set_key(&kept.object, key);
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_EVALUATE:
        DEVICE_REGION_BEGIN();
        bancada_prf(&kept.object, GUARDED(output), message, length);
        DEVICE_REGION_END();
        break;
    default:
        break;
    }
    guard_look(0, GUARDED(output), BANCADA_DIGEST_BYTES);
    GUARD_LOOK_OBJECT(1, kept.object);
    return 0;
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}
