/* Runs Tatu's RSA for the tests. One command a line: SCHEME MODULUS EXPONENT SIGNATURE DIGEST, the scheme "pkcs1" or
 * "pss", the exponent in hexadecimal. The answer is the result. */
#include <tatu/rsa.h>

#include "driver_buffers.h"

#define LONGEST_LINE 4000
#define MAX_WORDS 5

int main(void)
{
    static char line[LONGEST_LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *words[MAX_WORDS] = {0};
        char *rest = line;
        struct buffer modulus, signature, digest;
        uint32_t exponent;
        int is_pss, result;

        for (int i = 0; i < MAX_WORDS && (words[i] = strtok(rest, " \n")) != NULL; i++) {
            rest = NULL;
        }
        is_pss = strcmp(words[0], "pss") == 0;
        modulus = from_hex(words[1]);
        exponent = (uint32_t)strtoul(words[2], NULL, 16);
        signature = from_hex(words[3]);
        digest = from_hex(words[4]);
        if (modulus.length == TATU_RSA2048_BYTES) {
            result = (is_pss ? tatu_rsa2048_verify_pss : tatu_rsa2048_verify_pkcs1)(modulus.bytes, exponent,
                                                                                    signature.bytes, digest.bytes);
        } else {
            result = (is_pss ? tatu_rsa3072_verify_pss : tatu_rsa3072_verify_pkcs1)(modulus.bytes, exponent,
                                                                                    signature.bytes, digest.bytes);
        }
        printf("%d\n", result);
        free(modulus.block);
        free(signature.block);
        free(digest.block);
    }
    return 0;
}
