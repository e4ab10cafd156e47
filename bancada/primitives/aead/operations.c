/* Operations of the contract (aead/contract.h). */
#include "bancada/authenticated_message.h"
#include "bancada/buffer.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#if defined(DEVICE_PACKET_BYTES)
#define DATA_BYTES 2176
#else
#define DATA_BYTES 512
#endif

static struct {
    GUARD_IN_FRONT
    bancada_aead_context context;
    uint8_t guard[GUARD_BYTES];
} kept;
BUFFER key[BANCADA_KEY_BYTES];
BUFFER nonce[BANCADA_NONCE_BYTES];
CHECKED_BUFFER(data, DATA_BYTES);
CHECKED_BUFFER(tag, BANCADA_TAG_BYTES + GUARD_BYTES);
static uint8_t guards_hold;
BUFFER associated[ASSOCIATED_BYTES];
static uint8_t associated_length;

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.block_bytes = 0;
    facts.encrypt_context_bytes = sizeof kept.context;
    facts.decrypt_context_bytes = sizeof kept.context;
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
        found.bytes = data;
        found.size = DATA_BYTES;
        break;
    case BANCADA_BUFFER_TAG:
        found.bytes = tag;
        found.size = BANCADA_TAG_BYTES;
        break;
    case BUFFER_GUARDS:
        guards_hold = guard_holds(tag + BANCADA_TAG_BYTES) && guard_holds(kept.guard);
        BUFFER_OF(guards_hold);
    case BANCADA_BUFFER_ASSOCIATED:
        BUFFER_OF(associated);
    case BANCADA_BUFFER_ASSOCIATED_LENGTH:
        BUFFER_OF(associated_length);
    default:
        break;
    }
    return found;
}

#if defined(BANCADA_WITH_DECRYPT)
#define DECRYPTING(X)                                                                                              \
    X(BANCADA_OPERATION_DECRYPT,                                                                                   \
      status = bancada_aead_decrypt(&kept.context, data, data, length, associated, associated_length, nonce, tag))
#else
#define DECRYPTING(X)
#endif

#define OPERATIONS(X)                                                                                              \
    X(BANCADA_OPERATION_SET_KEY, bancada_set_key(&kept.context, key))                                              \
    X(BANCADA_OPERATION_ENCRYPT,                                                                                   \
      status = bancada_aead_encrypt(&kept.context, data, data, length, associated, associated_length, nonce, tag)) \
    DECRYPTING(X)

#include "bancada/operation_list.h"

void operations_guard(void)
{
    guard_set(tag + BANCADA_TAG_BYTES);
    guard_set(kept.guard);
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("message,tag,context");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, data, length);
    act(1, tag, BANCADA_TAG_BYTES);
    act(2, (uint8_t *)&kept.context, sizeof kept.context);
}
#endif
