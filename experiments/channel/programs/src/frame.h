/* What client and server send each other over TCP: a header of 36 bytes, then the body. Numbers are big endian.
 *
 *   0  magic        4  "BNCH"
 *   4  version      1  FRAME_VERSION
 *   5  kind         1  enum frame_kind
 *   6  mode         1  enum frame_mode; in a refusal, enum frame_refusal
 *   7  key bytes    1  16, 24, 32; 0 in a refusal
 *   8  body bytes   4  0 in a refusal
 *  12  t3 - t2      8  in a reply: the server's times in ns, from the moment t2 when it had the whole request,
 *  20  t4 - t2      8  to the end of decryption (t3), the beginning (t4) and the end (t5) of encryption; else 0
 *  28  t5 - t2      8
 *
 *   body            IV or nonce || ciphertext || tag, of lengths that follow from the mode (bancada/primitives/mode/contract.h)
 *
 * A mode with a tag authenticates the header's first 12 bytes too, and in a reply the request's IV or nonce behind them: a reply is
 * then the answer to this request and to no other, and a request that is sent back is no reply. The times are not authenticated: a
 * measurement, not a message. Modes without a tag protect none of it. */
#ifndef CHANNEL_FRAME_H
#define CHANNEL_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "problem.h"

#define FRAME_VERSION 1
#define FRAME_HEADER_BYTES 36
#define FRAME_AUTHENTICATED_BYTES 12
#define FRAME_LONGEST_NONCE_BYTES 16

enum frame_kind { FRAME_REQUEST = 1, FRAME_REPLY = 2, FRAME_REFUSAL = 3 };

enum frame_mode { FRAME_AES_CBC = 1, FRAME_AES_CCM = 2, FRAME_ASCON_AEAD128 = 3 };

/* Why the server refuses. Of a message that it cannot open it does not say why: with CBC that alone is too much (experiments/channel/README.md). */
enum frame_refusal { REFUSAL_UNREADABLE = 1, REFUSAL_TOO_LONG = 2, REFUSAL_OTHER_MODE = 3, REFUSAL_MALFORMED = 4 };

struct frame {
    uint8_t kind;
    uint8_t mode;
    uint8_t key_bytes;
    uint32_t body_bytes;
    int64_t decrypted_ns;
    int64_t encrypting_ns;
    int64_t encrypted_ns;
};

void frame_encode(uint8_t header[FRAME_HEADER_BYTES], const struct frame *frame);

/* Fails for another magic, version or kind, and for times that are none. */
int frame_decode(struct frame *frame, const uint8_t header[FRAME_HEADER_BYTES], struct problem *problem);

/* What a mode with a tag authenticates beside the message; `nonce` is the request's, NULL in a request. Returns its length. */
size_t frame_associated(uint8_t associated[FRAME_AUTHENTICATED_BYTES + FRAME_LONGEST_NONCE_BYTES],
                        const struct frame *frame, const uint8_t *nonce, size_t nonce_bytes);

/* The refusal in words. */
const char *frame_refusal(uint8_t reason);

#endif
