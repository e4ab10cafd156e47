/* The contract of the primitive "message": the sender and the receiver of study `biglittle`.
 *
 *   send      serialise the reading (Protocol Buffers), hash it, sign the hash if the candidate signs
 *   receive   parse the reading, hash it, compare the hashes, verify the signature if there is one
 *
 * The adapter is included once with BANCADA_DIGEST_BYTES set and, if messages are signed, BANCADA_SIGNS. It defines
 * what hash/contract.h asks of a hash and, if messages are signed, what signature/contract.h asks of a signature: as a
 * rule it includes the adapters that the candidate has for those. Keys are set before, their generation and exchange
 * are not part of it, as in the study.
 *
 * A packet is: the serialised reading, its hash, its signature. */
#ifndef BANCADA_MESSAGE_H
#define BANCADA_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Replaces the context of a hash that has none (hash/contract.h). */
typedef uint8_t bancada_no_context;

#if defined(BANCADA_SIGNS)
#include "signature/contract.h"
#else
#define SIGNATURE_BYTES 0
#include BANCADA_ADAPTER
#endif

/* The longest text of a reading, and what is in front of it: the field's number and its length (Protocol Buffers,
 * "Encoding"). */
#define MESSAGE_TEXT_BYTES 120
#define MESSAGE_HEADER_BYTES 2
#define MESSAGE_PACKET_BYTES (MESSAGE_HEADER_BYTES + MESSAGE_TEXT_BYTES + BANCADA_DIGEST_BYTES + SIGNATURE_BYTES)

#endif
