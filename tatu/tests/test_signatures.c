/* RSA: Project Wycheproof, rsa_signature_2048_sha256_test, tcId 1, of an empty message, and with a bit changed. LMS and
 * SLH-DSA, whose signatures have thousands of bytes: what is none is refused. */
#include <tatu/lms.h>
#include <tatu/rsa.h>
#include <tatu/slh_dsa.h>

#include "kit.h"

static const char modulus_text[] =
    "a2b451a07d0aa5f96e455671513550514a8a5b462ebef717094fa1fee82224e637f9746d3f7cafd31878d80325b6ef5a1700"
    "f65903b469429e89d6eac8845097b5ab393189db92512ed8a7711a1253facd20f79c15e8247f3d3e42e46e48c98e254a2fe9"
    "765313a03eff8f17e1a029397a1fa26a8dce26f490ed81299615d9814c22da610428e09c7d9658594266f5c021d0fceca08d"
    "945a12be82de4d1ece6b4c03145b5d3495d4ed5411eb878daf05fd7afc3e09ada0f1126422f590975a1969816f48698bcbba"
    "1b4d9cae79d460d8f9f85e7975005d9bc22c4e5ac0f7c1a45d12569a62807d3b9a02e5a530e773066f453d1f5b4c2e9cf782"
    "0283f742b9d5";
static const char signature_text[] =
    "840f5dac53106dd1f9c57219224cf51289290c42f20466875ba8e830ac5690e541536fcc8ab03b731f82bf66d83f194e7e18"
    "0b3963ec7a2f3f7904a7ce49aed47da4d4b79421eaf937d301b3e696169297b797c32c076a12be4de0b58e003c5123051a84"
    "a10c62f8dac2f42a8640008eb3c7cccd6760ff5b51b689763922582845f048fb8150e5a7a6ca2eccc7bdc85349ad5b26c521"
    "37a79fa3fe5c29ab5cd7615013219c1941b6708e9c3c23feff5febaf0c8ebca5750b54e3e6e99a3e876b396f27860b7f3ec4"
    "e9191703c6332d944f6f69751167680c79c4f6b57f1cc8755d24b6ec158ccdbacdb23107a33cb6b332516c13274d1f9dccc2"
    "1dced869e486";

static void check_rsa(void)
{
    uint8_t modulus[TATU_RSA2048_BYTES], signature[TATU_RSA2048_BYTES], digest[32];

    CHECK(kit_bytes(modulus, modulus_text) == sizeof modulus);
    CHECK(kit_bytes(signature, signature_text) == sizeof signature);
    tatu_sha256(digest, NULL, 0);
    CHECK(tatu_rsa2048_verify_pkcs1(modulus, 65537, signature, digest) == TATU_OK);
    CHECK(tatu_rsa2048_verify_pss(modulus, 65537, signature, digest) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_rsa2048_verify_pkcs1(modulus, 3, signature, digest) == TATU_ERR_AUTHENTICATION);
    signature[100] ^= 1;
    CHECK(tatu_rsa2048_verify_pkcs1(modulus, 65537, signature, digest) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_rsa2048_verify_pkcs1(modulus, 65537, modulus, digest) == TATU_ERR_AUTHENTICATION);
}

static void check_hash_based(void)
{
    static uint8_t signature[TATU_SLH_DSA_SHA2_128S_SIGNATURE_BYTES];
    uint8_t key[TATU_LMS_PUBLIC_KEY_BYTES] = {0, 0, 0, 6, 0, 0, 0, 3};
    struct tatu_lms lms;

    kit_fill(signature, sizeof signature);
    CHECK(tatu_slh_dsa_sha2_128s_verify(key, key, 5, NULL, 0, signature, sizeof signature) == TATU_ERR_AUTHENTICATION);
    memcpy(signature, key, 8);
    signature[3] = 1;
    CHECK(tatu_lms_init(&lms, key, signature) == TATU_OK);
    CHECK(tatu_lms_final(&lms) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_lms_final(&lms) == TATU_ERR_STATE);
    CHECK(tatu_lms_verify(key, key, 5, signature, 2508) == TATU_ERR_AUTHENTICATION);
    key[3] = 10;
    CHECK(tatu_lms_init(&lms, key, signature) == TATU_ERR_AUTHENTICATION);
}

int main(void)
{
    check_rsa();
    check_hash_based();
    return kit_result();
}
