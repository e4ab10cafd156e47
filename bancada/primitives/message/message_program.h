/* The two programs of the contract (contract.h), on nanopb and the candidate's hash and signature. */
#ifndef BANCADA_MESSAGE_PROGRAM_H
#define BANCADA_MESSAGE_PROGRAM_H

#include <pb_decode.h>
#include <pb_encode.h>

#include "contract.h"

/* message Reading { string data = 1; } */
typedef struct {
    char data[MESSAGE_TEXT_BYTES + 1];
} Reading;

#define Reading_FIELDLIST(X, a) X(a, STATIC, SINGULAR, STRING, data, 1)
#define Reading_CALLBACK NULL
#define Reading_DEFAULT NULL

extern const pb_msgdesc_t Reading_msg;

#define MESSAGE_OK 0
#define MESSAGE_NOT_SERIALISED (-1)
#define MESSAGE_NOT_PARSED (-2)
#define MESSAGE_OTHER_HASH (-3)
#define MESSAGE_NOT_SIGNED (-4)
#define MESSAGE_OTHER_SIGNATURE (-5)

static inline void message_hash(uint8_t digest[BANCADA_DIGEST_BYTES], const uint8_t *message, size_t length)
{
    bancada_hash_context context;
    bancada_hash(&context, digest, message, length);
}

/* Writes the packet of a reading; its length in `packet_bytes`. MESSAGE_OK, MESSAGE_NOT_SERIALISED or
 * MESSAGE_NOT_SIGNED. */
static inline int message_send(
#if defined(BANCADA_SIGNS)
    bancada_sign_context *signer,
#endif
    const Reading *reading, uint8_t packet[MESSAGE_PACKET_BYTES], size_t *packet_bytes)
{
    pb_ostream_t stream = pb_ostream_from_buffer(packet, MESSAGE_HEADER_BYTES + MESSAGE_TEXT_BYTES);
    if (!pb_encode(&stream, &Reading_msg, reading)) {
        return MESSAGE_NOT_SERIALISED;
    }
    size_t length = stream.bytes_written;
    uint8_t *digest = packet + length;
    message_hash(digest, packet, length);
    *packet_bytes = length + BANCADA_DIGEST_BYTES + SIGNATURE_BYTES;
#if defined(BANCADA_SIGNS)
    if (bancada_sign(signer, digest + BANCADA_DIGEST_BYTES, digest) != 0) {
        return MESSAGE_NOT_SIGNED;
    }
#endif
    return MESSAGE_OK;
}

/* Reads a packet back. Nothing is in `reading` unless it returns MESSAGE_OK. */
static inline int message_receive(
#if defined(BANCADA_SIGNS)
    bancada_verify_context *verifier,
#endif
    Reading *reading, const uint8_t *packet, size_t packet_bytes)
{
    int status = MESSAGE_OK;
    uint8_t digest[BANCADA_DIGEST_BYTES];
    if (packet_bytes < BANCADA_DIGEST_BYTES + SIGNATURE_BYTES) {
        return MESSAGE_NOT_PARSED;
    }
    size_t length = packet_bytes - BANCADA_DIGEST_BYTES - SIGNATURE_BYTES;
    pb_istream_t stream = pb_istream_from_buffer(packet, length);
    if (!pb_decode(&stream, &Reading_msg, reading)) {
        status = MESSAGE_NOT_PARSED;
    } else {
        message_hash(digest, packet, length);
        if (memcmp(digest, packet + length, BANCADA_DIGEST_BYTES) != 0) { /* nothing here is secret */
            status = MESSAGE_OTHER_HASH;
        }
#if defined(BANCADA_SIGNS)
        else if (bancada_verify(verifier, packet + length + BANCADA_DIGEST_BYTES, digest) != 0) {
            status = MESSAGE_OTHER_SIGNATURE;
        }
#endif
    }
    if (status != MESSAGE_OK) {
        memset(reading, 0, sizeof *reading);
    }
    return status;
}

#endif
