/* Operations of the contract (signature/contract.h). */
#include "bancada/buffer.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#if defined(BANCADA_VERIFY_ONLY)
#define SIGNER_GUARD_HOLDS 1
#define SIGNER_CONTEXT_BYTES 0
#else
static struct {
    GUARD_IN_FRONT
    bancada_sign_context context;
    uint8_t guard[GUARD_BYTES];
} signer;
#define SIGNER_GUARD_HOLDS guard_holds(signer.guard)
#define SIGNER_CONTEXT_BYTES sizeof signer.context
#endif
static struct {
    GUARD_IN_FRONT
    bancada_verify_context context;
    uint8_t guard[GUARD_BYTES];
} verifier;
BUFFER key[SIGNATURE_KEY_BYTES];
BUFFER digest[BANCADA_DIGEST_BYTES];
CHECKED_BUFFER(signature, SIGNATURE_BYTES + GUARD_BYTES);
static uint8_t guards_hold;
size_t bancada_message_bytes;

/* G. Marsaglia, "Xorshift RNGs" (2003), section 4: four words of state, a few instructions for four bytes. What is
 * measured is the signature; the bytes must differ from call to call and repeat with the host's seed, no more. */
static uint32_t seed[4];
static uint32_t state[4];

static uint32_t next_word(void)
{
    uint32_t t = state[0] ^ (state[0] << 11);
    state[0] = state[1];
    state[1] = state[2];
    state[2] = state[3];
    state[3] ^= (state[3] >> 19) ^ t ^ (t >> 8);
    return state[3];
}

int bancada_entropy(void *ignored, uint8_t *output, size_t length)
{
    uint32_t word = 0;
    (void)ignored;
    for (size_t i = 0; i < length; i++) {
        word = i % 4 == 0 ? next_word() : word >> 8;
        output[i] = (uint8_t)word;
    }
    return 0;
}

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = SIGNATURE_FIELD_BYTES;
    facts.block_bytes = 0;
    facts.encrypt_context_bytes = SIGNER_CONTEXT_BYTES;
    facts.decrypt_context_bytes = sizeof verifier.context;
    return facts;
}

#define BUFFER_OF(object, bytes_of_it)  \
    found.bytes = (uint8_t *)&(object); \
    found.size = bytes_of_it;           \
    break

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
    case BANCADA_BUFFER_KEY:
        BUFFER_OF(key, sizeof key);
    case BANCADA_BUFFER_SEED:
        BUFFER_OF(seed, sizeof seed);
    case BANCADA_BUFFER_DIGEST:
        BUFFER_OF(digest, sizeof digest);
    case BANCADA_BUFFER_SIGNATURE:
        found.bytes = signature;
        found.size = SIGNATURE_BYTES;
        break;
    case BUFFER_GUARDS:
        guards_hold = guard_holds(signature + SIGNATURE_BYTES) && SIGNER_GUARD_HOLDS && guard_holds(verifier.guard);
        BUFFER_OF(guards_hold, sizeof guards_hold);
    default:
        break;
    }
    return found;
}

#if defined(BANCADA_VERIFY_ONLY)
#define SIGNING(X)
#else
#define SIGNING(X)                                                                       \
    X(BANCADA_OPERATION_SET_KEY, status = bancada_set_sign_key(&signer.context, key))    \
    X(BANCADA_OPERATION_SIGN, status = bancada_sign(&signer.context, signature, digest))
#endif

#if defined(SIGNATURE_IS_IN_PIECES)
#define VERIFYING(X)                                                                                               \
    X(BANCADA_OPERATION_VERIFY_BEGIN, status = bancada_verify_begin(&verifier.context, signature, digest, length)) \
    X(BANCADA_OPERATION_VERIFY_PIECE, bancada_verify_piece(&verifier.context, signature, length))                  \
    X(BANCADA_OPERATION_VERIFY_END, status = bancada_verify_end(&verifier.context))
#else
#define VERIFYING(X) X(BANCADA_OPERATION_VERIFY, status = bancada_verify(&verifier.context, signature, digest))
#endif

#define OPERATIONS(X)                                                                            \
    SIGNING(X)                                                                                   \
    X(BANCADA_OPERATION_SET_VERIFY_KEY, status = bancada_set_verify_key(&verifier.context, key)) \
    VERIFYING(X)

#include "bancada/operation_list.h"

void operations_guard(void)
{
    guard_set(signature + SIGNATURE_BYTES);
#if !defined(BANCADA_VERIFY_ONLY)
    guard_set(signer.guard);
#endif
    guard_set(verifier.guard);
}

void operations_prepare(uint8_t operation, size_t length)
{
    (void)operation;
    bancada_message_bytes = length;
    memcpy(state, seed, sizeof state);
    state[0] |= 1; /* all zeros would stay all zeros */
}

#if defined(BANCADA_CHECKED)
GUARD_NAMES("signature,signing context,verification context");

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)operation;
    (void)length;
    act(0, signature, SIGNATURE_BYTES);
#if !defined(BANCADA_VERIFY_ONLY)
    act(1, (uint8_t *)&signer.context, sizeof signer.context);
#endif
    act(2, (uint8_t *)&verifier.context, sizeof verifier.context);
}
#endif
