/* Operations of the contract (mode/contract.h). */
#include "bancada/authenticated_message.h"
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

/* An image of two mebibytes where there is room; elsewhere ten blocks (AESAVS 6.3) and their padding. */
#if defined(DEVICE_PACKET_BYTES) && DEVICE_PACKET_BYTES >= 1048576
#define MESSAGE_BYTES 2097152
#else
#define MESSAGE_BYTES 176
#endif
#define DATA_BYTES BANCADA_MODE_ROOM(MESSAGE_BYTES)

BUFFER key[BANCADA_KEY_BYTES];
BUFFER nonce[BANCADA_NONCE_BYTES];
BUFFER input[DATA_BYTES];
CHECKED_BUFFER(output, DATA_BYTES + GUARD_BYTES);
static uint8_t output_bytes_little_endian[4];
BUFFER associated[ASSOCIATED_BYTES];
static uint8_t associated_length;
static uint8_t guards_hold;
static size_t input_bytes;

int bancada_entropy(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    if (length != sizeof nonce) {
        return -1;
    }
    memcpy(bytes, nonce, sizeof nonce);
    return 0;
}

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.block_bytes = 0;
    facts.encrypt_context_bytes = 0;
    facts.decrypt_context_bytes = 0;
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
    case BANCADA_BUFFER_INPUT:
        BUFFER_OF(input);
    case BANCADA_BUFFER_OUTPUT:
        found.bytes = output;
        found.size = DATA_BYTES;
        break;
    case BANCADA_BUFFER_OUTPUT_BYTES:
        BUFFER_OF(output_bytes_little_endian);
    case BANCADA_BUFFER_ASSOCIATED:
        BUFFER_OF(associated);
    case BANCADA_BUFFER_ASSOCIATED_LENGTH:
        BUFFER_OF(associated_length);
    case BUFFER_GUARDS:
        guards_hold = guard_holds(output + DATA_BYTES);
        BUFFER_OF(guards_hold);
    default:
        break;
    }
    return found;
}

uint8_t operations_known(uint8_t operation)
{
    switch (operation) {
    case OPERATION_EMPTY:
    case BANCADA_OPERATION_ENCRYPT:
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_MAKE_INPUT:
    case BANCADA_OPERATION_DECRYPT:
#endif
        return 1;
    default:
        return 0;
    }
}

void operations_guard(void)
{
    guard_set(output + DATA_BYTES);
}

/* What a call leaves of an earlier one's result cannot pass for its own. A length of 0 decrypts what
 * BANCADA_OPERATION_MAKE_INPUT made. */
void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    if (length != 0) {
        input_bytes = length;
    }
    memset(output, 0, DATA_BYTES);
}

static void say_output_bytes(size_t bytes)
{
    for (uint8_t i = 0; i < sizeof output_bytes_little_endian; i++) {
        output_bytes_little_endian[i] = (uint8_t)bytes;
        bytes >>= 8;
    }
}

int8_t operations_call(uint8_t operation, size_t length)
{
    size_t output_bytes = DATA_BYTES;
    int status = -1;
    (void)length;
    switch (operation) {
    case OPERATION_EMPTY:
        DEVICE_REGION_BEGIN();
        DEVICE_REGION_END();
        return 0;
    case BANCADA_OPERATION_ENCRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_mode_encrypt(output, &output_bytes, input, input_bytes, associated, associated_length, key);
        DEVICE_REGION_END();
        break;
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_MAKE_INPUT:
        status = bancada_mode_encrypt(output, &output_bytes, input, input_bytes, associated, associated_length, key);
        if (status == 0) {
            memcpy(input, output, output_bytes);
            input_bytes = output_bytes;
        }
        break;
    case BANCADA_OPERATION_DECRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_mode_decrypt(output, &output_bytes, input, input_bytes, associated, associated_length, key);
        DEVICE_REGION_END();
        break;
#endif
    default:
        break;
    }
    say_output_bytes(status == 0 ? output_bytes : 0);
    return (int8_t)(status == 0 ? 0 : -1);
}

void operations_chain(uint8_t chain)
{
    (void)chain;
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("output");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, output, DATA_BYTES);
}
#endif
