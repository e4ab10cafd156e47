/* SLH-DSA-SHA2-128s (FIPS 205), as the signature arrives. Section, table and algorithm numbers are those of FIPS 205.
 *
 * After R come values of 16 bytes: for each tree of FORS a secret and its path, then for each layer of the hypertree
 * the chains of WOTS+ and the path. A value is collected in slh->block, where its hash wants it. All hashes begin with
 * PK.seed and zeros, which are one block of SHA-256: its state is kept. */
#include <tatu/slh_dsa.h>

#include <string.h>

#include "../sha2/sha256_internal.h"

#define HASH_BYTES 16

/* Table 2 */
#define LAYERS 7
#define LAYER_HEIGHT 9
#define FORS_TREES 14
#define FORS_HEIGHT 12
#define FORS_DIGEST_BYTES 21
#define DIGITS 32
#define CHAINS 35
#define LAST_STEP 15

/* Where the root is in the public key, behind PK.seed. */
#define KEY_ROOT 16

/* Where things are in the block: the compressed address (section 11.2.1), the values, the length in bits. */
#define BLOCK_LAYER 0
#define BLOCK_TREE 1
#define BLOCK_TYPE 9
#define BLOCK_KEY_PAIR 12
#define BLOCK_CHAIN 17
#define BLOCK_HEIGHT 17
#define BLOCK_STEP 21
#define BLOCK_NUMBER 20
#define ADDRESS_BYTES 22
#define BLOCK_LEFT ADDRESS_BYTES
#define BLOCK_RIGHT (ADDRESS_BYTES + HASH_BYTES)
#define BLOCK_END (ADDRESS_BYTES + 2 * HASH_BYTES)
#define TREE_BYTES 8

/* Section 4.2 */
enum type { WOTS_HASH, WOTS_PK, TREE, FORS_TREE, FORS_ROOTS };

enum stage { STAGE_ENDED, STAGE_MESSAGE, STAGE_FORS, STAGE_CHAINS, STAGE_PATH, STAGE_ALL, STAGE_WRONG };

/* A hash that goes on after PK.seed and zeros (section 11.2.1). */
static void start(const struct tatu_slh_dsa_sha2_128s *slh, struct tatu_sha256 *hash)
{
    memcpy(hash->state, slh->seeded, sizeof hash->state);
    hash->length_bytes[0] = TATU_SHA256_BLOCK_BYTES;
    hash->length_bytes[1] = 0;
}

/* F, or H, of the address and the values in the block, to a place in the block. */
static void hash_block(struct tatu_slh_dsa_sha2_128s *slh, uint8_t place)
{
    struct tatu_sha256 hash;

    memcpy(hash.state, slh->seeded, sizeof hash.state);
    tatu_internal_sha256_compress(&hash, slh->block);
    tatu_internal_sha256_store(hash.state, slh->block + place, HASH_BYTES / 4);
}

/* The padding of SHA-256 after the values, which end at `end`. */
static void pad(struct tatu_slh_dsa_sha2_128s *slh, uint8_t end)
{
    uint16_t bits = (uint16_t)(8 * (TATU_SHA256_BLOCK_BYTES + end));

    memset(slh->block + end, 0, (size_t)(sizeof slh->block - end));
    slh->block[end] = 0x80;
    slh->block[62] = (uint8_t)(bits >> 8);
    slh->block[63] = (uint8_t)bits;
}

/* setTypeAndClear. The words behind the type are zeros, but for the key pair where a type has one. */
static void set_type(struct tatu_slh_dsa_sha2_128s *slh, enum type type)
{
    memset(slh->block + BLOCK_TYPE, 0, ADDRESS_BYTES - BLOCK_TYPE);
    slh->block[BLOCK_TYPE] = (uint8_t)type;
    if (type != TREE) {
        memcpy(slh->block + BLOCK_KEY_PAIR, slh->digest + 30, 2);
    }
}

/* Begins T_k or T_len of an address with this type. */
static void start_list(struct tatu_slh_dsa_sha2_128s *slh, enum type type)
{
    start(slh, &slh->hash);
    set_type(slh, type);
    tatu_sha256_update(&slh->hash, slh->block, ADDRESS_BYTES);
}

static void finish_list(struct tatu_slh_dsa_sha2_128s *slh, uint8_t *node)
{
    uint8_t whole[TATU_SHA256_DIGEST_BYTES];

    tatu_internal_sha256_finish(&slh->hash, whole);
    memcpy(node, whole, HASH_BYTES);
}

/* Digit `number` of the node and its checksum, four bits each (algorithm 4). */
static uint8_t digit(const struct tatu_slh_dsa_sha2_128s *slh, uint8_t number)
{
    uint8_t byte = slh->node[number >> 1];

    return (number & 1) != 0 ? byte & 15 : (uint8_t)(byte >> 4);
}

/* The leaf of this tree of FORS: 12 bits of the digest (algorithm 4), among the leaves of all trees. */
static uint16_t fors_leaf(const struct tatu_slh_dsa_sha2_128s *slh)
{
    const uint8_t *bytes = slh->digest + slh->tree / 2 * 3 + (slh->tree & 1);
    uint16_t pair = (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);

    pair = (slh->tree & 1) != 0 ? pair & 0xfff : (uint16_t)(pair >> 4);
    return (uint16_t)((uint16_t)slh->tree << FORS_HEIGHT | pair);
}

/* The next value is one that F takes. */
static void await_value(struct tatu_slh_dsa_sha2_128s *slh)
{
    pad(slh, BLOCK_RIGHT);
    slh->place = BLOCK_LEFT;
}

/* The node is in the block, on the left. The next value is beside it (algorithms 11 and 17). */
static void await_sibling(struct tatu_slh_dsa_sha2_128s *slh)
{
    slh->place = BLOCK_RIGHT;
    if ((slh->number & 1) != 0) {
        memcpy(slh->block + BLOCK_RIGHT, slh->block + BLOCK_LEFT, HASH_BYTES);
        slh->place = BLOCK_LEFT;
    }
    slh->number >>= 1;
    slh->step++;
    slh->block[BLOCK_HEIGHT] = slh->step;
    slh->block[BLOCK_NUMBER] = (uint8_t)(slh->number >> 8);
    slh->block[BLOCK_NUMBER + 1] = (uint8_t)slh->number;
}

/* The first value of a tree of FORS comes next: a secret. */
static void await_fors_tree(struct tatu_slh_dsa_sha2_128s *slh)
{
    set_type(slh, FORS_TREE);
    slh->number = fors_leaf(slh);
    slh->block[BLOCK_NUMBER] = (uint8_t)(slh->number >> 8);
    slh->block[BLOCK_NUMBER + 1] = (uint8_t)slh->number;
    slh->step = 0;
    await_value(slh);
}

/* The chains of a layer come next. They sign slh->node (algorithm 8). */
static void await_chains(struct tatu_slh_dsa_sha2_128s *slh)
{
    uint16_t checksum = 0;

    for (uint8_t i = 0; i < DIGITS; i++) {
        checksum = (uint16_t)(checksum + LAST_STEP - digit(slh, i));
    }
    checksum = (uint16_t)(checksum << 4);
    slh->node[HASH_BYTES] = (uint8_t)(checksum >> 8);
    slh->node[HASH_BYTES + 1] = (uint8_t)checksum;
    slh->block[BLOCK_LAYER] = slh->tree;
    memcpy(slh->block + BLOCK_TREE, slh->digest + FORS_DIGEST_BYTES, TREE_BYTES);
    start_list(slh, WOTS_PK);
    set_type(slh, WOTS_HASH);
    slh->stage = STAGE_CHAINS;
    slh->step = 0;
    await_value(slh);
}

/* The leaf of the next layer is the low 9 bits of the number of the tree (algorithm 13). */
static void go_up(struct tatu_slh_dsa_sha2_128s *slh)
{
    uint8_t *tree = slh->digest + FORS_DIGEST_BYTES, *leaf = slh->digest + 30;

    leaf[0] = tree[TREE_BYTES - 2] & 1;
    leaf[1] = tree[TREE_BYTES - 1];
    for (uint8_t i = TREE_BYTES - 1; i > 0; i--) {
        tree[i] = (uint8_t)(tree[i - 1] >> 1 | (i > 1 ? tree[i - 2] << 7 : 0));
    }
    tree[0] = 0;
}

static void take_fors(struct tatu_slh_dsa_sha2_128s *slh)
{
    hash_block(slh, BLOCK_LEFT);
    if (slh->step < FORS_HEIGHT) {
        if (slh->step == 0) {
            pad(slh, BLOCK_END);
        }
        await_sibling(slh);
        return;
    }
    tatu_sha256_update(&slh->hash, slh->block + BLOCK_LEFT, HASH_BYTES);
    slh->tree++;
    if (slh->tree < FORS_TREES) {
        await_fors_tree(slh);
        return;
    }
    finish_list(slh, slh->node);
    slh->tree = 0;
    await_chains(slh);
}

static void take_chain(struct tatu_slh_dsa_sha2_128s *slh)
{
    uint8_t *step = slh->block + BLOCK_STEP;

    slh->block[BLOCK_CHAIN] = slh->step;
    for (*step = digit(slh, slh->step); *step < LAST_STEP; (*step)++) {
        hash_block(slh, BLOCK_LEFT);
    }
    tatu_sha256_update(&slh->hash, slh->block + BLOCK_LEFT, HASH_BYTES);
    slh->step++;
    if (slh->step == CHAINS) {
        finish_list(slh, slh->block + BLOCK_LEFT);
        slh->number = (uint16_t)((uint16_t)slh->digest[30] << 8 | slh->digest[31]);
        set_type(slh, TREE);
        pad(slh, BLOCK_END);
        slh->stage = STAGE_PATH;
        slh->step = 0;
        await_sibling(slh);
    }
}

static void take_path(struct tatu_slh_dsa_sha2_128s *slh)
{
    hash_block(slh, BLOCK_LEFT);
    if (slh->step < LAYER_HEIGHT) {
        await_sibling(slh);
        return;
    }
    memcpy(slh->node, slh->block + BLOCK_LEFT, HASH_BYTES);
    slh->tree++;
    if (slh->tree == LAYERS) {
        slh->stage = STAGE_ALL;
    } else {
        go_up(slh);
        await_chains(slh);
    }
}

/* The message is complete: H_msg (section 11.2.1) gives the leaves of FORS, the tree and the leaf. */
static void end_message(struct tatu_slh_dsa_sha2_128s *slh)
{
    uint8_t counter[4] = {0, 0, 0, 0};
    uint8_t inner[TATU_SHA256_DIGEST_BYTES];

    tatu_internal_sha256_finish(&slh->hash, inner);
    tatu_internal_sha256_start(&slh->hash);
    tatu_sha256_update(&slh->hash, slh->digest, HASH_BYTES);
    tatu_sha256_update(&slh->hash, slh->public_key, HASH_BYTES);
    tatu_sha256_update(&slh->hash, inner, sizeof inner);
    tatu_sha256_update(&slh->hash, counter, sizeof counter);
    tatu_internal_sha256_finish(&slh->hash, slh->digest);
    /* The tree has 7 bytes and its number 54 bits, the leaf has 9: it goes to the end, and a byte before the tree. */
    slh->digest[30] = slh->digest[28] & 1;
    slh->digest[31] = slh->digest[29];
    memmove(slh->digest + FORS_DIGEST_BYTES + 1, slh->digest + FORS_DIGEST_BYTES, TREE_BYTES - 1);
    slh->digest[FORS_DIGEST_BYTES] = 0;
    slh->digest[FORS_DIGEST_BYTES + 1] &= 0x3f;

    memset(slh->block, 0, sizeof slh->block);
    memcpy(slh->block, slh->public_key, HASH_BYTES);
    tatu_internal_sha256_start(&slh->hash);
    tatu_internal_sha256_compress(&slh->hash, slh->block);
    memcpy(slh->seeded, slh->hash.state, sizeof slh->seeded);
    slh->block[BLOCK_LAYER] = 0;
    memcpy(slh->block + BLOCK_TREE, slh->digest + FORS_DIGEST_BYTES, TREE_BYTES);
    start_list(slh, FORS_ROOTS);
    slh->stage = STAGE_FORS;
    slh->tree = 0;
    slh->left = HASH_BYTES;
    await_fors_tree(slh);
}

void tatu_slh_dsa_sha2_128s_init_internal(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t public_key[32],
                                          const uint8_t beginning[16])
{
    slh->public_key = public_key;
    memcpy(slh->digest, beginning, HASH_BYTES);
    tatu_internal_sha256_start(&slh->hash);
    tatu_sha256_update(&slh->hash, beginning, HASH_BYTES);
    tatu_sha256_update(&slh->hash, public_key, TATU_SLH_DSA_SHA2_128S_PUBLIC_KEY_BYTES);
    slh->stage = STAGE_MESSAGE;
}

int tatu_slh_dsa_sha2_128s_init(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t public_key[32],
                                const uint8_t beginning[16], const uint8_t *context, size_t context_length)
{
    uint8_t prefix[2];

    tatu_slh_dsa_sha2_128s_init_internal(slh, public_key, beginning);
    if (context_length > TATU_SLH_DSA_LONGEST_CONTEXT_BYTES) {
        slh->stage = STAGE_WRONG;
        return TATU_ERR_LENGTH;
    }
    prefix[0] = 0;
    prefix[1] = (uint8_t)context_length;
    tatu_sha256_update(&slh->hash, prefix, sizeof prefix);
    tatu_sha256_update(&slh->hash, context, context_length);
    return TATU_OK;
}

void tatu_slh_dsa_sha2_128s_update_message(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t *message, size_t length)
{
    if (slh->stage == STAGE_MESSAGE) {
        tatu_sha256_update(&slh->hash, message, length);
    } else if (slh->stage != STAGE_ENDED && length > 0) {
        slh->stage = STAGE_WRONG;
    }
}

void tatu_slh_dsa_sha2_128s_update_signature(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t *signature,
                                             size_t length)
{
    if (slh->stage == STAGE_MESSAGE && length > 0) {
        end_message(slh);
    }
    for (; length > 0 && slh->stage != STAGE_ENDED; length--) {
        if (slh->stage >= STAGE_ALL) { /* longer than a signature is */
            slh->stage = STAGE_WRONG;
            return;
        }
        slh->block[slh->place] = *signature++;
        slh->place++;
        slh->left--;
        if (slh->left == 0) {
            slh->left = HASH_BYTES;
            slh->place = BLOCK_LEFT;
            if (slh->stage == STAGE_FORS) {
                take_fors(slh);
            } else if (slh->stage == STAGE_CHAINS) {
                take_chain(slh);
            } else {
                take_path(slh);
            }
        }
    }
}

int tatu_slh_dsa_sha2_128s_final(struct tatu_slh_dsa_sha2_128s *slh)
{
    int result = TATU_ERR_AUTHENTICATION;

    if (slh->stage == STAGE_ENDED) {
        result = TATU_ERR_STATE;
    } else if (slh->stage == STAGE_ALL && memcmp(slh->node, slh->public_key + KEY_ROOT, HASH_BYTES) == 0) {
        result = TATU_OK;
    }
    slh->stage = STAGE_ENDED;
    return result;
}
