/* Verification of Ed25519 (RFC 8032, section 5.1.7). Nothing here is secret: branches depend on what is verified. */
#include <tatu/ed25519.h>

#include <string.h>

#include "../common/equal.h"
#include "../common/flash.h"
#include "ed25519_scalar.h"
#include "ed25519_state.h"

enum { X = TATU_INTERNAL_ED25519_X, Y, Z, T, A, B, C };

/* d, 2d and the square root of -1 (section 5.1), as eight words. */
static const uint32_t curve[3][8] TATU_INTERNAL_IN_FLASH = {
    {0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d, 0x7779e898, 0x8cc74079, 0x2b6ffe73, 0x52036cee},
    {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a, 0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc},
    {0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806, 0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480},
};

#define D curve[0]
#define TWICE_D curve[1]
#define ROOT curve[2]

struct verification {
    struct tatu_internal_ed25519_state state;
    /* the base point, minus the public key, and their sum with its 2Z */
    struct tatu_internal_ed25519_addend base, minus_key, both;
    tatu_internal_ed25519_number twice_z;
};

static void set_one(struct tatu_internal_ed25519_state *state, uint8_t place)
{
    memset(state->number[place], 0, sizeof state->number[place]);
    state->number[place][0] = 1;
}

/* Whether the number is 0 modulo p. C is lost. */
static int is_zero(struct tatu_internal_ed25519_state *state, uint8_t place)
{
    uint8_t bytes[32];
    uint8_t all = 0;

    set_one(state, C);
    tatu_internal_ed25519_multiply(state, C, place, C);
    tatu_internal_ed25519_store(bytes, state, C);
    for (uint8_t i = 0; i < sizeof bytes; i++) {
        all = (uint8_t)(all | bytes[i]);
    }
    return all == 0;
}

/* B = v = d y^2 + 1, from Y. C is lost. */
static void compute_v(struct tatu_internal_ed25519_state *state)
{
    tatu_internal_ed25519_square(state, B, Y);
    tatu_internal_ed25519_load_constant(state->number[C], D);
    tatu_internal_ed25519_multiply(state, B, B, C);
    set_one(state, C);
    tatu_internal_ed25519_add(state, B, B, C);
}

/* X, Y = minus the point that the bytes encode (section 5.1.3). 0 if they encode none, or not in the one right way. */
static TATU_INTERNAL_ED25519_ALONE int load_minus(struct tatu_internal_ed25519_state *state, const uint8_t encoding[32])
{
    uint8_t bytes[32];
    const uint8_t sign = encoding[31] >> 7;

    tatu_internal_ed25519_load(state, Y, encoding);
    tatu_internal_ed25519_store(bytes, state, Y);
    bytes[31] = (uint8_t)(bytes[31] | sign << 7);
    if (!tatu_internal_equal(bytes, encoding, sizeof bytes)) {
        return 0;
    }
    /* u = y^2 - 1; x = u v^3 (u v^7)^((p - 5) / 8), and (p - 5) / 8 = 2^252 - 3 = 4 (2^250 - 1) + 1 */
    compute_v(state);
    tatu_internal_ed25519_square(state, X, Y);
    tatu_internal_ed25519_subtract(state, X, X, C);
    tatu_internal_ed25519_square(state, A, B);
    tatu_internal_ed25519_multiply(state, A, A, B);
    tatu_internal_ed25519_square(state, A, A);
    tatu_internal_ed25519_multiply(state, A, A, B);
    tatu_internal_ed25519_multiply(state, Z, X, A);
    tatu_internal_ed25519_power(state);
    tatu_internal_ed25519_square(state, A, A);
    tatu_internal_ed25519_square(state, A, A);
    tatu_internal_ed25519_multiply(state, A, A, Z);
    compute_v(state);
    tatu_internal_ed25519_square(state, T, B);
    tatu_internal_ed25519_multiply(state, T, T, B);
    tatu_internal_ed25519_multiply(state, T, T, X);
    tatu_internal_ed25519_multiply(state, A, A, T);
    /* v x^2 is u, or -u, or there is no x. */
    tatu_internal_ed25519_square(state, T, A);
    tatu_internal_ed25519_multiply(state, T, T, B);
    tatu_internal_ed25519_subtract(state, B, T, X);
    if (!is_zero(state, B)) {
        tatu_internal_ed25519_add(state, B, T, X);
        if (!is_zero(state, B)) {
            return 0;
        }
        tatu_internal_ed25519_load_constant(state->number[C], ROOT);
        tatu_internal_ed25519_multiply(state, A, A, C);
    }
    tatu_internal_ed25519_store(bytes, state, A);
    memset(state->number[X], 0, sizeof state->number[X]);
    if (is_zero(state, A)) {
        return !sign;
    }
    if ((bytes[0] & 1) == sign) {
        tatu_internal_ed25519_subtract(state, X, X, A);
    } else {
        memcpy(state->number[X], state->number[A], sizeof state->number[X]);
    }
    return 1;
}

/* What adds the point X, Y, T. C is lost. */
static void make_addend(struct tatu_internal_ed25519_addend *addend, struct tatu_internal_ed25519_state *state)
{
    tatu_internal_ed25519_load_constant(state->number[C], TWICE_D);
    tatu_internal_ed25519_multiply(state, C, C, T);
    memcpy(addend->product, state->number[C], sizeof addend->product);
    tatu_internal_ed25519_add(state, C, Y, X);
    memcpy(addend->sum, state->number[C], sizeof addend->sum);
    tatu_internal_ed25519_subtract(state, C, Y, X);
    memcpy(addend->difference, state->number[C], sizeof addend->difference);
}

/* The point = S times the base point - challenge times the public key (E. Straus, "Addition Chains of Vectors",
 * American Mathematical Monthly 71, 1964). */
static void multiply_both(struct verification *this, const uint8_t s[32], const uint8_t challenge[32])
{
    struct tatu_internal_ed25519_state *const state = &this->state;

    tatu_internal_ed25519_set_neutral(state);
    for (uint8_t i = 253; i > 0; i--) {
        const uint8_t at = (uint8_t)(i - 1);
        const uint8_t of_base = s[at / 8] >> (at % 8) & 1;
        const uint8_t of_key = challenge[at / 8] >> (at % 8) & 1;

        tatu_internal_ed25519_double(state);
        if (of_base && of_key) {
            tatu_internal_ed25519_add_point(state, &this->both, this->twice_z);
        } else if (of_base) {
            tatu_internal_ed25519_add_point(state, &this->base, NULL);
        } else if (of_key) {
            tatu_internal_ed25519_add_point(state, &this->minus_key, NULL);
        }
    }
}

static TATU_INTERNAL_ED25519_ALONE int holds(struct verification *this, const uint8_t signature[64],
                                             const uint8_t challenge[32])
{
    struct tatu_internal_ed25519_state *const state = &this->state;
    uint8_t r[32];

    tatu_internal_ed25519_multiply(state, T, X, Y);
    make_addend(&this->minus_key, state);
    tatu_internal_ed25519_choose(&this->base, 1);
    set_one(state, Z);
    tatu_internal_ed25519_add_point(state, &this->base, NULL);
    make_addend(&this->both, state);
    tatu_internal_ed25519_add(state, C, Z, Z);
    memcpy(this->twice_z, state->number[C], sizeof this->twice_z);
    multiply_both(this, signature + 32, challenge);
    tatu_internal_ed25519_encode(r, state);
    return tatu_internal_equal(r, signature, sizeof r);
}

static TATU_INTERNAL_ED25519_ALONE int check(const uint8_t public_key[32], const uint8_t signature[64],
                                             const uint8_t challenge[32])
{
    struct verification verification;

    if (!load_minus(&verification.state, public_key)) {
        return TATU_ERR_KEY;
    }
    return holds(&verification, signature, challenge) ? TATU_OK : TATU_ERR_AUTHENTICATION;
}

int tatu_ed25519_verify(const uint8_t public_key[32], const uint8_t signature[64], const uint8_t *message,
                        size_t length)
{
    uint8_t challenge[32];

    if (!tatu_internal_ed25519_is_reduced(signature + 32)) {
        return TATU_ERR_AUTHENTICATION;
    }
    tatu_internal_ed25519_hash(challenge, signature, public_key, message, length);
    return check(public_key, signature, challenge);
}
