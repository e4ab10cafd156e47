/* On AVR with MUL: rc6_tiny_encrypt_avr.S */
#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_PORTABLE)

#include <tatu/rc6.h>

/* Nothing is smaller in C. */
void tatu_rc6_tiny_encrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_rc6_encrypt(context, output, input);
}

#else
typedef int tatu_internal_rc6_tiny_encrypt_is_in_assembly;
#endif
