/* Runs Tatu's Ed25519 for the tests.
 *
 *   key SECRET                              -> PUBLIC
 *   sign SECRET MESSAGE                     -> SIGNATURE
 *   verify PUBLIC SIGNATURE MESSAGE         -> RESULT   (what tatu_ed25519_verify returned)
 *
 * A message of no bytes is written "-". */
#include <tatu/ed25519.h>

#include "driver_buffers.h"

int main(void)
{
    static char line[16384];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const operation = strtok(line, " \n");
        const char *const first = strtok(NULL, " \n");
        const char *const second = strtok(NULL, " \n");
        const char *const third = strtok(NULL, " \n");
        const struct buffer result = new_buffer(TATU_ED25519_SIGNATURE_BYTES);
        const struct buffer a = from_hex(first);
        struct tatu_ed25519_key key;

        if (strcmp(operation, "verify") == 0) {
            const struct buffer signature = from_hex(second);
            const struct buffer message = from_hex(third);

            printf("%d\n", tatu_ed25519_verify(a.bytes, signature.bytes, message.bytes, message.length));
            free(signature.block);
            free(message.block);
        } else {
            tatu_ed25519_set_key(&key, a.bytes);
            if (strcmp(operation, "key") == 0) {
                print_bytes(key.public_key, sizeof key.public_key);
            } else {
                const struct buffer message = from_hex(second);

                tatu_ed25519_sign(&key, result.bytes, message.bytes, message.length);
                print_bytes(result.bytes, result.length);
                free(message.block);
            }
            printf("\n");
        }
        free(a.block);
        free(result.block);
    }
    return 0;
}
