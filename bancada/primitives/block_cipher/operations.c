/* Operations of the contract (block_cipher/contract.h): block calls, and CBC where the candidate has it. */
#include "bancada/buffer.h"
#include "bancada/device.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#define IV_BYTES 16

/* Ten blocks, the longest message of the AES multi-block tests (AESAVS 6.3), and the IV in front. */
#if defined(BANCADA_CBC_CALLER) || defined(BANCADA_CBC_LIBRARY)
#define MESSAGE_BYTES (10 * BANCADA_BLOCK_BYTES)
#else
#define MESSAGE_BYTES BANCADA_BLOCK_BYTES
#endif
#if defined(DEVICE_PACKET_BYTES)
#define DATA_BYTES DEVICE_PACKET_BYTES
#define OUTPUT_BYTES DATA_BYTES
#elif defined(BANCADA_CBC_LIBRARY)
#define DATA_BYTES (IV_BYTES + MESSAGE_BYTES)
#define OUTPUT_BYTES DATA_BYTES
#else
#define DATA_BYTES MESSAGE_BYTES
#define OUTPUT_BYTES BANCADA_BLOCK_BYTES
#endif

/* Both contexts are never in use at once. C++ has no union of objects that are constructed. */
#if defined(__cplusplus)
static struct {
#else
static union {
#endif
    struct {
        GUARD_IN_FRONT
        bancada_encrypt_context context;
        uint8_t guard[GUARD_BYTES];
    } encrypt;
#if defined(BANCADA_WITH_DECRYPT) && !defined(BANCADA_ONE_KEY)
    struct {
        GUARD_IN_FRONT
        bancada_decrypt_context context;
        uint8_t guard[GUARD_BYTES];
    } decrypt;
#endif
} keys;
#define ENCRYPT_CONTEXT (&keys.encrypt.context)
#if defined(BANCADA_WITH_DECRYPT) && defined(BANCADA_ONE_KEY)
#define DECRYPT_CONTEXT (&keys.encrypt.context)
#else
#define DECRYPT_CONTEXT (&keys.decrypt.context)
#endif

BUFFER key[BANCADA_KEY_BYTES];
CHECKED_BUFFER(iv, IV_BYTES);
CHECKED_BUFFER(input, DATA_BYTES);
CHECKED_BUFFER(output, OUTPUT_BYTES + GUARD_BYTES);
static uint8_t guards_hold = 1;
BUFFER iv_used[IV_BYTES];
BUFFER input_used[BANCADA_BLOCK_BYTES];

#if defined(BANCADA_CBC_LIBRARY)
/* Nonzero: the library's next IV is what the host wrote in `iv`. Zero: the candidate draws on this device's own
 * entropy. */
static uint8_t iv_from_host;

#if defined(__cplusplus)
extern "C" {
#endif
int bancada_device_entropy(void *state, uint8_t *bytes, size_t length);
#if defined(__cplusplus)
}
#endif

int bancada_entropy(void *state, uint8_t *bytes, size_t length)
{
    if (iv_from_host) {
        memcpy(bytes, iv, length < IV_BYTES ? length : IV_BYTES);
        return 0;
    }
    return bancada_device_entropy(state, bytes, length);
}
#endif

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BYTES;
    facts.block_bytes = BANCADA_BLOCK_BYTES;
    facts.encrypt_context_bytes = sizeof(bancada_encrypt_context);
#if defined(BANCADA_WITH_DECRYPT)
    facts.decrypt_context_bytes = sizeof(bancada_decrypt_context);
#else
    facts.decrypt_context_bytes = 0;
#endif
    return facts;
}

/* One context's guard lies in the other's room, so each is set before a key is, and looked at after every call. */
static uint8_t *context_guard(uint8_t decrypting)
{
#if defined(BANCADA_WITH_DECRYPT) && !defined(BANCADA_ONE_KEY)
    if (decrypting) {
        return keys.decrypt.guard;
    }
#endif
    (void)decrypting;
    return keys.encrypt.guard;
}

static uint8_t decrypts(uint8_t operation)
{
    return operation == BANCADA_OPERATION_SET_DECRYPT_KEY || operation == BANCADA_OPERATION_DECRYPT ||
           operation == BANCADA_OPERATION_CBC_DECRYPT;
}

void operations_guard(void)
{
    guard_set(output + OUTPUT_BYTES);
}

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
    case BANCADA_BUFFER_KEY:
        found.bytes = key;
        found.size = sizeof key;
        break;
    case BANCADA_BUFFER_IV:
        found.bytes = iv;
        found.size = IV_BYTES;
        break;
    case BANCADA_BUFFER_INPUT:
        found.bytes = input;
        found.size = DATA_BYTES;
        break;
    case BANCADA_BUFFER_OUTPUT:
        found.bytes = output;
        found.size = OUTPUT_BYTES;
        break;
    case BUFFER_GUARDS:
        found.bytes = &guards_hold;
        found.size = sizeof guards_hold;
        break;
#if defined(BANCADA_CBC_LIBRARY)
    case BANCADA_BUFFER_ENTROPY:
        found.bytes = &iv_from_host;
        found.size = sizeof iv_from_host;
        break;
#endif
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
        return 1;
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_SET_DECRYPT_KEY:
    case BANCADA_OPERATION_DECRYPT:
        return 1;
#endif
#if defined(BANCADA_CBC_CALLER) || defined(BANCADA_CBC_LIBRARY)
    case BANCADA_OPERATION_CBC_ENCRYPT:
    case BANCADA_OPERATION_CBC_DECRYPT:
        return 1;
#endif
    default:
        return 0;
    }
}

/* A length beyond one block is a packet: as many blocks, each for itself (ECB). */
#if defined(DEVICE_PACKET_BYTES)
#define PREPARED_BYTES(length) ((length) > BANCADA_BLOCK_BYTES ? (length) : BANCADA_BLOCK_BYTES)
#else
#define PREPARED_BYTES(length) BANCADA_BLOCK_BYTES
#endif

void operations_prepare(uint8_t operation, size_t length)
{
    (void)length;
    (void)operation;
    if (operation == BANCADA_OPERATION_SET_KEY || operation == BANCADA_OPERATION_SET_DECRYPT_KEY) {
        guard_set(context_guard(decrypts(operation)));
    }
#if defined(BANCADA_IN_PLACE)
    if (operation == BANCADA_OPERATION_ENCRYPT || operation == BANCADA_OPERATION_DECRYPT) {
        memcpy(output, input, PREPARED_BYTES(length));
    }
#endif
    memcpy(iv_used, iv, IV_BYTES);
    memcpy(input_used, input, BANCADA_BLOCK_BYTES);
}

#if defined(BANCADA_IN_PLACE)
#define BLOCK_INPUT output
#else
#define BLOCK_INPUT input
#endif

#if defined(DEVICE_PACKET_BYTES)
/* What a program that must encrypt more than a block writes with the library: its own call for many, or a loop. */
static __attribute__((noinline)) void encrypt_packet(size_t length)
{
#if defined(BANCADA_ECB)
    bancada_ecb_encrypt(ENCRYPT_CONTEXT, output, BLOCK_INPUT, length);
#else
    for (size_t at = 0; at < length; at += BANCADA_BLOCK_BYTES) {
        bancada_encrypt(ENCRYPT_CONTEXT, output + at, BLOCK_INPUT + at);
    }
#endif
}

#if defined(BANCADA_WITH_DECRYPT)
static __attribute__((noinline)) void decrypt_packet(size_t length)
{
#if defined(BANCADA_ECB)
    bancada_ecb_decrypt(DECRYPT_CONTEXT, output, BLOCK_INPUT, length);
#else
    for (size_t at = 0; at < length; at += BANCADA_BLOCK_BYTES) {
        bancada_decrypt(DECRYPT_CONTEXT, output + at, BLOCK_INPUT + at);
    }
#endif
}
#endif
#endif

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
        bancada_set_encrypt_key(ENCRYPT_CONTEXT, key);
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_ENCRYPT:
#if defined(DEVICE_PACKET_BYTES)
        if (length > BANCADA_BLOCK_BYTES) {
            DEVICE_REGION_BEGIN();
            encrypt_packet(length);
            DEVICE_REGION_END();
            break;
        }
#endif
        DEVICE_REGION_BEGIN();
        bancada_encrypt(ENCRYPT_CONTEXT, output, BLOCK_INPUT);
        DEVICE_REGION_END();
        break;
#if defined(BANCADA_WITH_DECRYPT)
    case BANCADA_OPERATION_SET_DECRYPT_KEY:
        DEVICE_REGION_BEGIN();
#if defined(BANCADA_ONE_KEY)
        bancada_set_encrypt_key(ENCRYPT_CONTEXT, key);
#else
        bancada_set_decrypt_key(DECRYPT_CONTEXT, key);
#endif
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_DECRYPT:
#if defined(DEVICE_PACKET_BYTES)
        if (length > BANCADA_BLOCK_BYTES) {
            DEVICE_REGION_BEGIN();
            decrypt_packet(length);
            DEVICE_REGION_END();
            break;
        }
#endif
        DEVICE_REGION_BEGIN();
        bancada_decrypt(DECRYPT_CONTEXT, output, BLOCK_INPUT);
        DEVICE_REGION_END();
        break;
#endif
#if defined(BANCADA_CBC_CALLER)
    case BANCADA_OPERATION_CBC_ENCRYPT:
        DEVICE_REGION_BEGIN();
        bancada_cbc_encrypt(ENCRYPT_CONTEXT, iv, input, input, length);
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_CBC_DECRYPT:
        DEVICE_REGION_BEGIN();
        bancada_cbc_decrypt(DECRYPT_CONTEXT, iv, input, input, length);
        DEVICE_REGION_END();
        break;
#endif
#if defined(BANCADA_CBC_LIBRARY)
    case BANCADA_OPERATION_CBC_ENCRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_cbc_encrypt_fresh(ENCRYPT_CONTEXT, output, input, length);
        DEVICE_REGION_END();
        break;
    case BANCADA_OPERATION_CBC_DECRYPT:
        DEVICE_REGION_BEGIN();
        status = bancada_cbc_decrypt_fresh(DECRYPT_CONTEXT, output, input, length);
        DEVICE_REGION_END();
        break;
#endif
    default:
        break;
    }
    (void)length;
    if (operation != OPERATION_EMPTY) {
        guards_hold &= guard_holds(output + OUTPUT_BYTES) && guard_holds(context_guard(decrypts(operation)));
    }
    return (int8_t)status;
}

/* AESAVS 6.4.1 for ECB: the next input is the last output. AESAVS 6.4.2 for CBC: the next input is the output before
 * the last, which for the first step is the IV; the next IV is the last ciphertext block. Contexts and buffers are
 * those of the calling conventions above: CBC with the caller's IV leaves its result in `input`, CBC with the
 * library's IV leaves it in `output`, behind the IV when it encrypts. `output` keeps the last result for the host to
 * read. */
void operations_chain(uint8_t chain)
{
    switch (chain) {
    case BANCADA_CHAIN_ECB:
        memcpy(input, output, BANCADA_BLOCK_BYTES);
        break;
#if defined(BANCADA_CBC_CALLER)
    case BANCADA_CHAIN_CBC_ENCRYPT:
        memcpy(output, input, BANCADA_BLOCK_BYTES);
        memcpy(input, iv_used, BANCADA_BLOCK_BYTES);
        memcpy(iv, output, BANCADA_BLOCK_BYTES);
        break;
    case BANCADA_CHAIN_CBC_DECRYPT: {
        /* iv_used is what the last call was chained to; the plaintext before the last waits in `output`. */
        uint8_t plaintext[BANCADA_BLOCK_BYTES];
        memcpy(plaintext, input, BANCADA_BLOCK_BYTES);
        memcpy(iv, input_used, BANCADA_BLOCK_BYTES);
        memcpy(input, output, BANCADA_BLOCK_BYTES);
        memcpy(output, plaintext, BANCADA_BLOCK_BYTES);
        break;
    }
#endif
#if defined(BANCADA_CBC_LIBRARY)
    case BANCADA_CHAIN_CBC_ENCRYPT:
        memcpy(input, iv_used, BANCADA_BLOCK_BYTES);
        memcpy(iv, output + IV_BYTES, BANCADA_BLOCK_BYTES);
        break;
#endif
    default:
        break;
    }
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("output,context,message,IV");

/* CBC with the caller's IV writes over the message, and the next IV over the IV. One context lies in the other's
 * room, so only the one that is in use is guarded. */
void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    switch (operation) {
    case BANCADA_OPERATION_ENCRYPT:
    case BANCADA_OPERATION_DECRYPT:
        act(0, output, PREPARED_BYTES(length));
        break;
    case BANCADA_OPERATION_CBC_ENCRYPT:
    case BANCADA_OPERATION_CBC_DECRYPT:
#if defined(BANCADA_CBC_CALLER)
        act(2, input, length);
        act(3, iv, IV_BYTES);
#else
        act(0, output, operation == BANCADA_OPERATION_CBC_ENCRYPT ? IV_BYTES + length : length);
#endif
        break;
    default:
        break;
    }
#if defined(BANCADA_WITH_DECRYPT)
    if (decrypts(operation)) {
        act(1, (uint8_t *)DECRYPT_CONTEXT, sizeof *DECRYPT_CONTEXT);
        return;
    }
#endif
    act(1, (uint8_t *)ENCRYPT_CONTEXT, sizeof *ENCRYPT_CONTEXT);
}
#endif
