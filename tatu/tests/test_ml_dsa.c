/* ML-DSA-44: the first known answer of cryptography-vectors (kat_MLDSA_44_det_pure.rsp); of what is long, its SHA3-256.
 * A changed signature, message and context. */
#include <tatu/ml_dsa.h>

#include "kit_chosen.h"

static uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES], private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES];
static uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES], seed[32], message[16], context[16];

static int holds(size_t context_length)
{
    return tatu_ml_dsa_44_verify(public_key, message, sizeof message, context, context_length, signature);
}

int main(void)
{
    CHECK(kit_bytes(seed, "f696484048ec21f96cf50a56d0759c448f3779752f0383d37449690694cf7a68") == 32);
    CHECK(kit_bytes(message, "6dbbc4375136df3b07f7c70e639e223e") == 16);
    CHECK(kit_bytes(context, "480c658c0cb3e040bde084345cef0df7") == 16);
    CHECK(tatu_ml_dsa_44_generate(public_key, private_key, kit_chosen, seed) == TATU_OK);
    kit_check_digest(public_key, sizeof public_key, "23ffca1815890e764d3e95d9586b4b36b78fa726aa720a6facc9485ce5c22ce1");
    kit_check_digest(private_key, sizeof private_key,
                     "f034aaf0b155b5ddf1fc9bc89f29f0ffe98ba05bb7e90b47774460e80f29cc0c");
    CHECK(tatu_ml_dsa_44_sign_deterministic(signature, message, sizeof message, context, sizeof context, private_key) ==
          TATU_OK);
    kit_check_digest(signature, sizeof signature, "0f9537e27278391d6dd3139d18ad85b07e4b81cb7e4416da2110c2dfabd4052f");
    CHECK(holds(sizeof context) == TATU_OK);
    CHECK(holds(sizeof context - 1) == TATU_ERR_AUTHENTICATION);
    signature[100] ^= 1;
    CHECK(holds(sizeof context) == TATU_ERR_AUTHENTICATION);
    signature[100] ^= 1;
    message[0] ^= 1;
    CHECK(holds(sizeof context) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_ml_dsa_44_sign(signature, message, sizeof message, NULL, 0, private_key, kit_chosen, seed) == TATU_OK);
    CHECK(holds(0) == TATU_OK);
    private_key[128] = 0xff; /* no number of s1 */
    CHECK(tatu_ml_dsa_44_sign(signature, message, sizeof message, NULL, 0, private_key, kit_chosen, seed) ==
          TATU_ERR_KEY);
    return kit_result();
}
