#include "protection.h"

#include <string.h>
#include <sys/random.h>

/* What PROTECTIONS of the Makefile names. */
#define EVERY_PROTECTION(APPLY)                     \
    APPLY(relic_aes_cbc_128, "relic-aes-cbc-128")   \
    APPLY(relic_aes_cbc_192, "relic-aes-cbc-192")   \
    APPLY(relic_aes_cbc_256, "relic-aes-cbc-256")   \
    APPLY(tatu_aes_cbc_128, "tatu-aes-cbc-128")     \
    APPLY(tatu_aes_cbc_192, "tatu-aes-cbc-192")     \
    APPLY(tatu_aes_cbc_256, "tatu-aes-cbc-256")     \
    APPLY(tatu_aes_ccm_128, "tatu-aes-ccm-128")     \
    APPLY(tatu_aes_ccm_192, "tatu-aes-ccm-192")     \
    APPLY(tatu_aes_ccm_256, "tatu-aes-ccm-256")     \
    APPLY(tatu_ascon_aead128, "tatu-ascon-aead128")

#define DECLARE(symbol, name) extern const struct protection symbol;
#define ADDRESS(symbol, name) &symbol,
#define NAME(symbol, name) name " "

EVERY_PROTECTION(DECLARE)

static const struct protection *const every[] = {EVERY_PROTECTION(ADDRESS)};

/* The same number as BANCADA_MODE_ROOM, which is for who includes an adapter. */
#define MOST_ADDED_BYTES 48

int bancada_entropy(void *state, uint8_t *output, size_t length);

/* IVs and nonces come from the operating system. */
int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    return getrandom(output, length, 0) == (ssize_t)length ? 0 : -1;
}

const struct protection *protection_named(const char *name)
{
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        if (strcmp(every[i]->name, name) == 0) {
            return every[i];
        }
    }
    return NULL;
}

const char *protection_names(void)
{
    return EVERY_PROTECTION(NAME);
}

size_t protection_room(size_t length)
{
    return length + MOST_ADDED_BYTES;
}
