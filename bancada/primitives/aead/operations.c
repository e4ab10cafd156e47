/* Operations of the contract (aead/contract.h). */
#include "bancada/authenticated_message.h"
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#if defined(DEVICE_PACKET_BYTES)
#define DATA_BYTES 2176
#else
#define DATA_BYTES 512
#endif

static struct {
    GUARDED_OBJECT(bancada_aead_context);
} kept;
BUFFER key[BANCADA_KEY_BYTES];
BUFFER nonce[BANCADA_NONCE_BYTES];
GUARDED_BUFFER(data, DATA_BYTES);
GUARDED_BUFFER(tag, BANCADA_TAG_BYTES);
BUFFER associated[ASSOCIATED_BYTES];
static uint8_t associated_length;

enum guarded { GUARDED_DATA, GUARDED_TAG, GUARDED_CONTEXT };
GUARD_NAMES("message,tag,context");

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.block_bytes = 0;
    facts.encrypt_context_bytes = sizeof kept.object;
    facts.decrypt_context_bytes = sizeof kept.object;
    return facts;
}

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
    case BANCADA_BUFFER_KEY:
        BUFFER_OF(key);
    case BANCADA_BUFFER_NONCE:
        BUFFER_OF(nonce);
    case BANCADA_BUFFER_DATA:
        found.bytes = GUARDED(data);
        found.size = DATA_BYTES;
        break;
    case BANCADA_BUFFER_TAG:
        found.bytes = GUARDED(tag);
        found.size = BANCADA_TAG_BYTES;
        break;
    case BANCADA_BUFFER_ASSOCIATED:
        BUFFER_OF(associated);
    case BANCADA_BUFFER_ASSOCIATED_LENGTH:
        BUFFER_OF(associated_length);
    default:
        break;
    }
    return found;
}

uint8_t operations_known(uint8_t operation)
{
    switch (operation) {
    case OPERATION_EMPTY:
    case BANCADA_OPERATION_SET_KEY:
    case BANCADA_OPERATION_ENCRYPT:
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_DECRYPT:
#endif
        return 1;
    default:
        return 0;
    }
}

/* The message is written over the data: behind its `length` bytes nothing may change. */
void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    guard_put(GUARDED(data), length);
    guard_put(GUARDED(tag), BANCADA_TAG_BYTES);
    GUARD_PUT_OBJECT(kept.object);
}

int8_t operations_call(uint8_t operation, size_t length)
{
    int status = 0;
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
    case BANCADA_OPERATION_ENCRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_aead_encrypt(&kept.object, GUARDED(data), GUARDED(data), length, associated, associated_length,
                                      nonce, GUARDED(tag));
        DEVICE_REGION_END();
        break;
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_DECRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_aead_decrypt(&kept.object, GUARDED(data), GUARDED(data), length, associated, associated_length,
                                      nonce, GUARDED(tag));
        DEVICE_REGION_END();
        break;
#endif
    default:
        break;
    }
    guard_look(GUARDED_DATA, GUARDED(data), length);
    guard_look(GUARDED_TAG, GUARDED(tag), BANCADA_TAG_BYTES);
    GUARD_LOOK_OBJECT(GUARDED_CONTEXT, kept.object);
    return (int8_t)(status == 0 ? 0 : -1);
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}
