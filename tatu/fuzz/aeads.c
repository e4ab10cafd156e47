/* Authenticated encryption: what is sealed opens again, in one call and in pieces, in place and apart; what was
 * changed in any byte is refused and leaves zeros; lengths that an algorithm has not are refused and leave zeros. */
#include <tatu/ascon.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>

#include "fuzz.h"

/* Everything that a call takes, each in a buffer of its own. */
struct call {
    uint8_t *key, *nonce, *associated_data, *tag;
    size_t nonce_length, associated_data_length, tag_length;
};

struct aead {
    size_t key_bytes, shortest_nonce, longest_nonce, longest_tag;
    int (*encrypt)(const struct call *call, uint8_t *output, const uint8_t *input, size_t length);
    int (*decrypt)(const struct call *call, uint8_t *output, const uint8_t *input, size_t length);
    /* NULL: there is no such way */
    int (*encrypt_in_pieces)(const struct call *call, uint8_t *output, const uint8_t *input, size_t length,
                             struct reader *pieces);
    int (*is_valid)(const struct call *call);
};

/* ---- Ascon-AEAD128 ---- */

static int ascon_encrypt(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)
{
    return tatu_ascon_aead128_encrypt(call->key, output, input, length, call->associated_data,
                                      call->associated_data_length, call->nonce, call->tag, call->tag_length);
}

static int ascon_decrypt(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)
{
    return tatu_ascon_aead128_decrypt(call->key, output, input, length, call->associated_data,
                                      call->associated_data_length, call->nonce, call->tag, call->tag_length);
}

static int ascon_in_pieces(const struct call *call, uint8_t *output, const uint8_t *input, size_t length,
                           struct reader *pieces)
{
    struct tatu_ascon_aead128_encryption encryption;

    tatu_ascon_aead128_encrypt_init(&encryption, call->key, call->associated_data, call->associated_data_length,
                                    call->nonce);
    for (size_t done = 0, piece; done < length; done += piece) {
        piece = smaller(next_byte(pieces) + 1u, length - done);
        tatu_ascon_aead128_encrypt_update(&encryption, output + done, input + done, piece);
    }
    return tatu_ascon_aead128_encrypt_final(&encryption, call->tag, call->tag_length);
}

static int ascon_is_valid(const struct call *call)
{
    return call->tag_length >= 8 && call->tag_length <= 16;
}

/* ---- ChaCha20-Poly1305 ---- */

static int chacha_encrypt(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)
{
    return tatu_chacha20_poly1305_encrypt(call->key, output, input, length, call->associated_data,
                                          call->associated_data_length, call->nonce, call->tag);
}

static int chacha_decrypt(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)
{
    return tatu_chacha20_poly1305_decrypt(call->key, output, input, length, call->associated_data,
                                          call->associated_data_length, call->nonce, call->tag);
}

static int chacha_in_pieces(const struct call *call, uint8_t *output, const uint8_t *input, size_t length,
                            struct reader *pieces)
{
    struct tatu_chacha20_poly1305_encryption encryption;

    tatu_chacha20_poly1305_encrypt_init(&encryption, call->key, call->associated_data, call->associated_data_length,
                                        call->nonce);
    for (size_t done = 0, piece; done < length; done += piece) {
        piece = smaller(next_byte(pieces) + 1u, length - done);
        CHECK(tatu_chacha20_poly1305_encrypt_update(&encryption, output + done, input + done, piece) == TATU_OK);
    }
    return tatu_chacha20_poly1305_encrypt_final(&encryption, call->tag);
}

static int always_valid(const struct call *call)
{
    (void)call;
    return 1;
}

/* ---- AES-CCM ---- */

#define DEFINE_CCM(aes)                                                                                           \
    static int aes##_seal(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)          \
    {                                                                                                             \
        struct tatu_##aes context;                                                                                \
        tatu_##aes##_set_key(&context, call->key);                                                                \
        return tatu_##aes##_ccm_encrypt(&context, output, input, length, call->associated_data,                   \
                                        call->associated_data_length, call->nonce, call->nonce_length, call->tag, \
                                        call->tag_length);                                                        \
    }                                                                                                             \
    static int aes##_open(const struct call *call, uint8_t *output, const uint8_t *input, size_t length)          \
    {                                                                                                             \
        struct tatu_##aes context;                                                                                \
        tatu_##aes##_set_key(&context, call->key);                                                                \
        return tatu_##aes##_ccm_decrypt(&context, output, input, length, call->associated_data,                   \
                                        call->associated_data_length, call->nonce, call->nonce_length, call->tag, \
                                        call->tag_length);                                                        \
    }

DEFINE_CCM(aes128)
DEFINE_CCM(aes256)

/* SP 800-38C, appendix A.1. A message is never as long here as the longest nonce's counter allows. */
static int ccm_is_valid(const struct call *call)
{
    return call->nonce_length >= 7 && call->nonce_length <= 13 && call->tag_length >= 4 && call->tag_length <= 16 &&
           call->tag_length % 2 == 0;
}

/* ---- all of them ---- */

static const struct aead aeads[] = {
    {16, 16, 16, 18, ascon_encrypt, ascon_decrypt, ascon_in_pieces, ascon_is_valid},
    {32, 12, 12, 0, chacha_encrypt, chacha_decrypt, chacha_in_pieces, always_valid},
    {16, 5, 16, 18, aes128_seal, aes128_open, NULL, ccm_is_valid},
    {32, 5, 16, 18, aes256_seal, aes256_open, NULL, ccm_is_valid},
};

/* Changes the bit `which` of all that is authenticated. 0 if there is no such bit. */
static int flip_bit(size_t which, const struct aead *aead, const struct call *call, uint8_t *ciphertext, size_t length)
{
    const struct {
        uint8_t *bytes;
        size_t length;
    } parts[] = {{ciphertext, length},
                 {call->tag, call->tag_length},
                 {call->associated_data, call->associated_data_length},
                 {call->nonce, call->nonce_length},
                 {call->key, aead->key_bytes}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (which / 8 < parts[i].length) {
            parts[i].bytes[which / 8] ^= (uint8_t)(1u << which % 8);
            return 1;
        }
        which -= 8 * parts[i].length;
    }
    return 0;
}

static void try_valid(const struct aead *aead, struct call *call, const uint8_t *message, uint8_t *ciphertext,
                      size_t length, struct reader pieces)
{
    const size_t bit = next_byte(&pieces) | (size_t)next_byte(&pieces) << 8;
    uint8_t *const plaintext = new_buffer(length);
    uint8_t *const in_place = copy_buffer(message, length);
    uint8_t *const tag = copy_buffer(call->tag, call->tag_length);

    CHECK(aead->encrypt(call, in_place, in_place, length) == TATU_OK);
    CHECK(is_equal(in_place, ciphertext, length));
    CHECK(is_equal(call->tag, tag, call->tag_length));
    if (aead->encrypt_in_pieces != NULL) {
        memcpy(in_place, message, length);
        CHECK(aead->encrypt_in_pieces(call, in_place, in_place, length, &pieces) == TATU_OK);
        CHECK(is_equal(in_place, ciphertext, length));
        CHECK(is_equal(call->tag, tag, call->tag_length));
    }
    CHECK(aead->decrypt(call, plaintext, ciphertext, length) == TATU_OK);
    CHECK(is_equal(plaintext, message, length));
    CHECK(aead->decrypt(call, in_place, in_place, length) == TATU_OK);
    CHECK(is_equal(in_place, message, length));
    if (flip_bit(bit, aead, call, ciphertext, length)) {
        CHECK(aead->decrypt(call, plaintext, ciphertext, length) == TATU_ERR_AUTHENTICATION);
        CHECK(is_zero(plaintext, length));
        CHECK(aead->decrypt(call, ciphertext, ciphertext, length) == TATU_ERR_AUTHENTICATION);
        CHECK(is_zero(ciphertext, length));
    }
    free(plaintext);
    free(in_place);
    free(tag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = {data, size};
    const struct aead *const aead = &aeads[next_byte(&reader) % (sizeof aeads / sizeof aeads[0])];
    struct call call;
    struct reader pieces;
    uint8_t *message, *ciphertext;
    size_t length;

    call.nonce_length = aead->shortest_nonce + next_byte(&reader) % (aead->longest_nonce - aead->shortest_nonce + 1);
    call.tag_length = aead->longest_tag == 0 ? 16 : next_byte(&reader) % (aead->longest_tag + 1);
    call.associated_data_length = next_byte(&reader);
    pieces = reader;
    call.key = take_buffer(&reader, aead->key_bytes);
    call.nonce = take_buffer(&reader, call.nonce_length);
    call.associated_data = take_buffer(&reader, call.associated_data_length);
    call.tag = new_buffer(call.tag_length);
    length = reader.left;
    message = take_buffer(&reader, length);
    ciphertext = new_buffer(length);
    if (aead->is_valid(&call)) {
        CHECK(aead->encrypt(&call, ciphertext, message, length) == TATU_OK);
        try_valid(aead, &call, message, ciphertext, length, pieces);
    } else {
        CHECK(aead->encrypt(&call, ciphertext, message, length) == TATU_ERR_LENGTH);
        CHECK(is_zero(ciphertext, length) && is_zero(call.tag, call.tag_length));
        memset(ciphertext, 0xa5, length);
        CHECK(aead->decrypt(&call, ciphertext, message, length) == TATU_ERR_LENGTH);
        CHECK(is_zero(ciphertext, length));
    }
    free(call.key);
    free(call.nonce);
    free(call.associated_data);
    free(call.tag);
    free(message);
    free(ciphertext);
    return 0;
}
