/* Operations of the contract (kem/contract.h). */
#include "bancada/buffer.h"
#include "bancada/guard.h"
#include "bancada/operations.h"
#include "contract.h"

#if defined(BANCADA_IN_PIECES)
#define KEY_BYTES KEM_PIECE_BYTES
#define CIPHERTEXT_BYTES KEM_PIECE_BYTES
#else
#define KEY_BYTES KEM_ENCAPSULATION_KEY_BYTES
#define CIPHERTEXT_BYTES KEM_CIPHERTEXT_BYTES
#endif

BUFFER random_bytes[KEM_RANDOM_BYTES];
#if defined(BANCADA_IN_PIECES)
/* One after the other: the piece of the key is stored when the ciphertext comes. */
CHECKED_BUFFER(ciphertext, CIPHERTEXT_BYTES + GUARD_BYTES);
#define encapsulation_key ciphertext
#else
CHECKED_BUFFER(encapsulation_key, KEY_BYTES + GUARD_BYTES);
CHECKED_BUFFER(decapsulation_key, KEM_DECAPSULATION_KEY_BYTES + GUARD_BYTES);
CHECKED_BUFFER(ciphertext, CIPHERTEXT_BYTES + GUARD_BYTES);
#endif
CHECKED_BUFFER(shared_secret, KEM_SECRET_BYTES + GUARD_BYTES);
static uint8_t guards_hold;
static uint8_t random_taken;

int bancada_entropy(void *ignored, uint8_t *output, size_t length)
{
    (void)ignored;
    if (length > sizeof random_bytes - random_taken) {
        return -1;
    }
    memcpy(output, random_bytes + random_taken, length);
    random_taken = (uint8_t)(random_taken + length);
    return 0;
}

#if defined(BANCADA_IN_PIECES)

/* Of the ciphertext: how much came, and from where on it is kept. */
static size_t written;
static size_t kept_from;

/* What the EEPROM does not hold of the key is in RAM. */
#if defined(__AVR__)
#include <avr/eeprom.h>
#include <avr/io.h>
#define EEPROM_BYTES (E2END + 1)
#else
#define EEPROM_BYTES 0
#define eeprom_read_block(bytes, address, length)
#define eeprom_update_block(bytes, address, length)
#endif
#if KEM_ENCAPSULATION_KEY_BYTES > EEPROM_BYTES
static uint8_t rest_of_key[KEM_ENCAPSULATION_KEY_BYTES - EEPROM_BYTES];
#else
static uint8_t rest_of_key[1];
#endif

static size_t in_eeprom(size_t offset, size_t length)
{
    const size_t room = offset < EEPROM_BYTES ? EEPROM_BYTES - offset : 0;
    return length < room ? length : room;
}

int bancada_read_key(void *ignored, size_t offset, uint8_t *bytes, size_t length)
{
    const size_t stored = in_eeprom(offset, length);

    (void)ignored;
    eeprom_read_block(bytes, (const void *)offset, stored);
    if (stored < length) {
        memcpy(bytes + stored, rest_of_key + (offset + stored - EEPROM_BYTES), length - stored);
    }
    return 0;
}

static void store_key(size_t offset)
{
    const size_t left = KEM_ENCAPSULATION_KEY_BYTES - offset;
    const size_t length = left < KEM_PIECE_BYTES ? left : KEM_PIECE_BYTES;
    const size_t stored = in_eeprom(offset, length);

    eeprom_update_block(encapsulation_key, (void *)offset, stored);
    if (stored < length) {
        memcpy(rest_of_key + (offset + stored - EEPROM_BYTES), encapsulation_key + stored, length - stored);
    }
}

int bancada_write_ciphertext(void *ignored, const uint8_t *bytes, size_t length)
{
    (void)ignored;
    for (; length > 0; length--, written++, bytes++) {
        if (written >= kept_from && written - kept_from < CIPHERTEXT_BYTES) {
            ciphertext[written - kept_from] = *bytes;
        }
    }
    return 0;
}

#endif

struct operations_facts operations_facts(void)
{
    struct operations_facts facts;
    facts.key_bytes = BANCADA_KEY_BITS / 8;
#if defined(BANCADA_IN_PIECES)
    facts.block_bytes = KEM_PIECE_BYTES;
#else
    facts.block_bytes = 0;
#endif
    facts.encrypt_context_bytes = 0;
    facts.decrypt_context_bytes = 0;
    return facts;
}

#define BUFFER_OF(object, bytes_of_it) \
    found.bytes = object;              \
    found.size = bytes_of_it;          \
    break

#if defined(BANCADA_IN_PIECES)
#define ALL_GUARDS_HOLD (guard_holds(ciphertext + CIPHERTEXT_BYTES) && guard_holds(shared_secret + KEM_SECRET_BYTES))
#else
#define ALL_GUARDS_HOLD                                                                                          \
    (guard_holds(ciphertext + CIPHERTEXT_BYTES) && guard_holds(shared_secret + KEM_SECRET_BYTES) &&              \
     guard_holds(encapsulation_key + KEY_BYTES) && guard_holds(decapsulation_key + KEM_DECAPSULATION_KEY_BYTES))
#endif

struct buffer operations_buffer(uint8_t number)
{
    struct buffer found = {NULL, 0};
    switch (number) {
    case BANCADA_BUFFER_RANDOM:
        BUFFER_OF(random_bytes, sizeof random_bytes);
    case BANCADA_BUFFER_ENCAPSULATION_KEY:
        BUFFER_OF(encapsulation_key, KEY_BYTES);
#if !defined(BANCADA_IN_PIECES)
    case BANCADA_BUFFER_DECAPSULATION_KEY:
        BUFFER_OF(decapsulation_key, KEM_DECAPSULATION_KEY_BYTES);
#endif
    case BANCADA_BUFFER_CIPHERTEXT:
        BUFFER_OF(ciphertext, CIPHERTEXT_BYTES);
    case BANCADA_BUFFER_SHARED_SECRET:
        BUFFER_OF(shared_secret, KEM_SECRET_BYTES);
    case BUFFER_GUARDS:
        guards_hold = ALL_GUARDS_HOLD;
        BUFFER_OF(&guards_hold, sizeof guards_hold);
    default:
        break;
    }
    return found;
}

#if defined(BANCADA_IN_PIECES)
#define OPERATIONS(X) X(BANCADA_OPERATION_ENCAPSULATE, status = bancada_encapsulate_in_pieces(shared_secret))
#define OPERATIONS_WHEN_PREPARED(X) X(BANCADA_OPERATION_STORE_KEY, (void)0)
#else
#define OPERATIONS(X)                                                                                            \
    X(BANCADA_OPERATION_MAKE_KEY, status = bancada_make_key(encapsulation_key, decapsulation_key))               \
    X(BANCADA_OPERATION_ENCAPSULATE, status = bancada_encapsulate(shared_secret, ciphertext, encapsulation_key)) \
    X(BANCADA_OPERATION_DECAPSULATE, status = bancada_decapsulate(shared_secret, ciphertext, decapsulation_key))
#endif

#include "bancada/operation_list.h"

void operations_guard(void)
{
    guard_set(ciphertext + CIPHERTEXT_BYTES);
    guard_set(shared_secret + KEM_SECRET_BYTES);
#if !defined(BANCADA_IN_PIECES)
    guard_set(encapsulation_key + KEY_BYTES);
    guard_set(decapsulation_key + KEM_DECAPSULATION_KEY_BYTES);
#endif
}

void operations_prepare(uint8_t operation, size_t length)
{
    random_taken = 0;
#if defined(BANCADA_IN_PIECES)
    written = 0;
    kept_from = length;
    if (operation == BANCADA_OPERATION_STORE_KEY) {
        store_key(length);
    }
#else
    (void)operation;
    (void)length;
#endif
}

#if defined(BANCADA_CHECKED)
#if defined(BANCADA_IN_PIECES)
GUARD_NAMES("ciphertext,shared secret");
#else
GUARD_NAMES("ciphertext,shared secret,encapsulation key,decapsulation key");
#endif

void operations_guarded(guarded_action act, uint8_t operation, size_t length)
{
    (void)length;
    (void)operation;
    act(0, ciphertext, CIPHERTEXT_BYTES);
    act(1, shared_secret, KEM_SECRET_BYTES);
#if !defined(BANCADA_IN_PIECES)
    act(2, encapsulation_key, KEY_BYTES);
    act(3, decapsulation_key, KEM_DECAPSULATION_KEY_BYTES);
#endif
}
#endif
