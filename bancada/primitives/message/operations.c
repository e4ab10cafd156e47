/* Operations of the contract (message/contract.h). */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "message_program.h"

PB_BIND(Reading, Reading, AUTO)

static Reading reading;
CHECKED_BUFFER(packet, MESSAGE_PACKET_BYTES + GUARD_BYTES);
static uint8_t packet_bytes[2];
static uint8_t guards_hold;

#if defined(BANCADA_SIGNS)
#include "bancada/entropy_from_host.h"

static bancada_sign_context signer;
static bancada_verify_context verifier;
BUFFER key[SIGNATURE_PRIVATE_KEY_BYTES];
#define WITH_SIGNER &signer,
#define WITH_VERIFIER &verifier,
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
    facts.encrypt_context_bytes = sizeof signer;
    facts.decrypt_context_bytes = sizeof verifier;
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
        found.bytes = (uint8_t *)reading.data;
        found.size = sizeof reading.data;
        break;
    case BANCADA_BUFFER_PACKET:
        found.bytes = packet;
        found.size = MESSAGE_PACKET_BYTES;
        break;
    case BANCADA_BUFFER_PACKET_BYTES:
        found.bytes = packet_bytes;
        found.size = sizeof packet_bytes;
        break;
    case BUFFER_GUARDS:
        guards_hold = guard_holds(packet + MESSAGE_PACKET_BYTES);
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
#if defined(BANCADA_SIGNS)
    return operation <= BANCADA_OPERATION_RECEIVE;
#else
    return operation == OPERATION_EMPTY || operation == BANCADA_OPERATION_SEND ||
           operation == BANCADA_OPERATION_RECEIVE;
#endif
}

void operations_guard(void)
{
    guard_set(packet + MESSAGE_PACKET_BYTES);
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
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
        status = bancada_set_sign_key(&signer, key);
        break;
    case BANCADA_OPERATION_SET_VERIFY_KEY:
        status = bancada_set_verify_key(&verifier, key);
        break;
#endif
    case BANCADA_OPERATION_SEND:
        DEVICE_REGION_BEGIN();
        status = message_send(WITH_SIGNER & reading, packet, &made);
        DEVICE_REGION_END();
        packet_bytes[0] = (uint8_t)made;
        packet_bytes[1] = (uint8_t)(made >> 8);
        break;
    case BANCADA_OPERATION_RECEIVE:
        DEVICE_REGION_BEGIN();
        status = message_receive(WITH_VERIFIER & reading, packet, length);
        DEVICE_REGION_END();
        break;
    default:
        break;
    }
    return (int8_t)status;
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("packet");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, packet, MESSAGE_PACKET_BYTES);
}
#endif
