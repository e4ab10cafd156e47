/* ring's own header of this name refuses to compile where int has 16 bits, which concerns other files than its AES. */
#ifndef OPENSSL_HEADER_TYPE_CHECK_H
#define OPENSSL_HEADER_TYPE_CHECK_H

#define OPENSSL_STATIC_ASSERT(condition, message)

#endif
