/* Operations of the contract (key_exchange/contract.h). */
#include "bancada/buffer.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

BUFFER secret_key[KEY_EXCHANGE_BYTES];
BUFFER peer_key[KEY_EXCHANGE_PUBLIC_BYTES];
/* A public key, which is at least as long as a shared secret. */
CHECKED_BUFFER(result, KEY_EXCHANGE_PUBLIC_BYTES + GUARD_BYTES);
static uint8_t guards_hold;

/* G. Marsaglia, "Xorshift RNGs" (2003), section 3. The bytes must differ, no more. */
int bancada_entropy(void *ignored, uint8_t *output, size_t length)
{
    static uint32_t state = 2463534242u;
    (void)ignored;
    for (size_t i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        output[i] = (uint8_t)state;
    }
    return 0;
}

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = KEY_EXCHANGE_BYTES;
    facts.block_bytes = 0;
    facts.encrypt_context_bytes = 0;
    facts.decrypt_context_bytes = 0;
    return facts;
}

#define BUFFER_OF(object, bytes_of_it) \
    found.bytes = object;              \
    found.size = bytes_of_it;          \
    break

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
    case BANCADA_BUFFER_SECRET_KEY:
        BUFFER_OF(secret_key, sizeof secret_key);
    case BANCADA_BUFFER_PEER_KEY:
        BUFFER_OF(peer_key, sizeof peer_key);
    case BANCADA_BUFFER_RESULT:
        BUFFER_OF(result, KEY_EXCHANGE_PUBLIC_BYTES);
    case BUFFER_GUARDS:
        guards_hold = guard_holds(result + KEY_EXCHANGE_PUBLIC_BYTES);
        BUFFER_OF(&guards_hold, sizeof guards_hold);
    default:
        break;
    }
    return found;
}

#define OPERATIONS(X)                                                                                \
    X(BANCADA_OPERATION_PUBLIC_KEY, status = bancada_public_key(result, secret_key))                 \
    X(BANCADA_OPERATION_SHARED_SECRET, status = bancada_shared_secret(result, secret_key, peer_key))

#include "bancada/operation_list.h"

void operations_guard(void)
{
    guard_set(result + KEY_EXCHANGE_PUBLIC_BYTES);
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("result");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, result, KEY_EXCHANGE_PUBLIC_BYTES);
}
#endif
