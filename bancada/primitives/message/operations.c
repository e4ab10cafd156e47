/* Operations of the contract (message/contract.h). */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "message_program.h"

PB_BIND(Reading, Reading, AUTO)

static struct {
    GUARDED_OBJECT(Reading);
} reading;
GUARDED_BUFFER(packet, MESSAGE_PACKET_BYTES);
static uint8_t packet_bytes[2];

enum guarded { GUARDED_PACKET, GUARDED_READING, GUARDED_SIGNER, GUARDED_VERIFIER };
GUARD_NAMES("packet,reading,signing context,verification context");

#if defined(BANCADA_SIGNS)
#include "bancada/entropy_from_host.h"

static struct {
    GUARDED_OBJECT(bancada_sign_context);
} signer;
static struct {
    GUARDED_OBJECT(bancada_verify_context);
} verifier;
BUFFER key[SIGNATURE_PRIVATE_KEY_BYTES];
#define WITH_SIGNER &signer.object,
#define WITH_VERIFIER &verifier.object,
#else
#define WITH_SIGNER
#define WITH_VERIFIER
#endif

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    memset(&facts, 0, sizeof facts);
#if defined(BANCADA_SIGNS)
    facts.key_bytes = SIGNATURE_FIELD_BYTES;
    facts.encrypt_context_bytes = sizeof signer.object;
    facts.decrypt_context_bytes = sizeof verifier.object;
#endif
    return facts;
}

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
#if defined(BANCADA_SIGNS)
    case BANCADA_BUFFER_KEY:
        found.bytes = key;
        found.size = sizeof key;
        break;
    case BANCADA_BUFFER_SEED:
        found.bytes = (uint8_t *)entropy_seed;
        found.size = sizeof entropy_seed;
        break;
#endif
    case BANCADA_BUFFER_TEXT:
        found.bytes = (uint8_t *)reading.object.data;
        found.size = sizeof reading.object.data;
        break;
    case BANCADA_BUFFER_PACKET:
        found.bytes = GUARDED(packet);
        found.size = MESSAGE_PACKET_BYTES;
        break;
    case BANCADA_BUFFER_PACKET_BYTES:
        found.bytes = packet_bytes;
        found.size = sizeof packet_bytes;
        break;
    default:
        break;
    }
    return found;
}

uint8_t operations_known(uint8_t operation)
{
#if defined(BANCADA_SIGNS)
    return operation <= BANCADA_OPERATION_RECEIVE;
#else
    return operation == OPERATION_EMPTY || operation == BANCADA_OPERATION_SEND ||
           operation == BANCADA_OPERATION_RECEIVE;
#endif
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    guard_put(GUARDED(packet), MESSAGE_PACKET_BYTES);
    GUARD_PUT_OBJECT(reading.object);
#if defined(BANCADA_SIGNS)
    GUARD_PUT_OBJECT(signer.object);
    GUARD_PUT_OBJECT(verifier.object);
#endif
#if defined(BANCADA_SIGNS)
    entropy_restart();
#endif
}

int8_t operations_call(uint8_t operation, size_t length)
{
    int status = 0;
    size_t made = 0;
    switch (operation) {
    case OPERATION_EMPTY:
        DEVICE_REGION_BEGIN();
        DEVICE_REGION_END();
        break;
#if defined(BANCADA_SIGNS)
    case BANCADA_OPERATION_SET_SIGN_KEY:
        status = bancada_set_sign_key(&signer.object, key);
        break;
    case BANCADA_OPERATION_SET_VERIFY_KEY:
        status = bancada_set_verify_key(&verifier.object, key);
        break;
#endif
    case BANCADA_OPERATION_SEND:
        DEVICE_REGION_BEGIN();
        status = message_send(WITH_SIGNER & reading.object, GUARDED(packet), &made);
        DEVICE_REGION_END();
        packet_bytes[0] = (uint8_t)made;
        packet_bytes[1] = (uint8_t)(made >> 8);
        break;
    case BANCADA_OPERATION_RECEIVE:
        DEVICE_REGION_BEGIN();
        status = message_receive(WITH_VERIFIER & reading.object, GUARDED(packet), length);
        DEVICE_REGION_END();
        break;
    default:
        break;
    }
    guard_look(GUARDED_PACKET, GUARDED(packet), MESSAGE_PACKET_BYTES);
    GUARD_LOOK_OBJECT(GUARDED_READING, reading.object);
#if defined(BANCADA_SIGNS)
    GUARD_LOOK_OBJECT(GUARDED_SIGNER, signer.object);
    GUARD_LOOK_OBJECT(GUARDED_VERIFIER, verifier.object);
#endif
    return (int8_t)status;
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}
