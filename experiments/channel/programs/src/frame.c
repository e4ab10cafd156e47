#include "frame.h"

#include <string.h>

static const uint8_t magic[4] = {'B', 'N', 'C', 'H'};

static void put(uint8_t *bytes, size_t count, uint64_t value)
{
    while (count > 0) {
        bytes[--count] = (uint8_t)value;
        value >>= 8;
    }
}

static uint64_t get(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

void frame_encode(uint8_t header[FRAME_HEADER_BYTES], const struct frame *frame)
{
    memcpy(header, magic, sizeof magic);
    header[4] = FRAME_VERSION;
    header[5] = frame->kind;
    header[6] = frame->mode;
    header[7] = frame->key_bytes;
    put(header + 8, 4, frame->body_bytes);
    put(header + 12, 8, (uint64_t)frame->decrypted_ns);
    put(header + 20, 8, (uint64_t)frame->encrypting_ns);
    put(header + 28, 8, (uint64_t)frame->encrypted_ns);
}

int frame_decode(struct frame *frame, const uint8_t header[FRAME_HEADER_BYTES], struct problem *problem)
{
    if (memcmp(header, magic, sizeof magic) != 0) {
        return say(problem, "the peer does not speak this protocol: its message begins with %02x %02x %02x %02x",
                   header[0], header[1], header[2], header[3]);
    }
    if (header[4] != FRAME_VERSION) {
        return say(problem,
                   "the peer speaks version %u of the protocol, this program %u: run the same one on both sides",
                   header[4], FRAME_VERSION);
    }
    if (header[5] < FRAME_REQUEST || header[5] > FRAME_REFUSAL) {
        return say(problem, "the peer sent a frame of the unknown kind %u", header[5]);
    }
    frame->kind = header[5];
    frame->mode = header[6];
    frame->key_bytes = header[7];
    frame->body_bytes = (uint32_t)get(header + 8, 4);
    const uint64_t decrypted = get(header + 12, 8);
    const uint64_t encrypting = get(header + 20, 8);
    const uint64_t encrypted = get(header + 28, 8);
    if (encrypted > INT64_MAX || encrypting > encrypted || decrypted > encrypting) {
        return say(problem, "the peer sent times that do not follow one another");
    }
    frame->decrypted_ns = (int64_t)decrypted;
    frame->encrypting_ns = (int64_t)encrypting;
    frame->encrypted_ns = (int64_t)encrypted;
    return 0;
}

size_t frame_associated(uint8_t associated[FRAME_AUTHENTICATED_BYTES + FRAME_LONGEST_NONCE_BYTES],
                        const struct frame *frame, const uint8_t *nonce, size_t nonce_bytes)
{
    uint8_t header[FRAME_HEADER_BYTES];
    frame_encode(header, frame);
    memcpy(associated, header, FRAME_AUTHENTICATED_BYTES);
    if (nonce == NULL) {
        return FRAME_AUTHENTICATED_BYTES;
    }
    memcpy(associated + FRAME_AUTHENTICATED_BYTES, nonce, nonce_bytes);
    return FRAME_AUTHENTICATED_BYTES + nonce_bytes;
}

const char *frame_refusal(uint8_t reason)
{
    switch (reason) {
    case REFUSAL_UNREADABLE:
        return "it could not open the message: another key, or it was changed on the way";
    case REFUSAL_TOO_LONG:
        return "the message is longer than it takes (its --largest-bytes)";
    case REFUSAL_OTHER_MODE:
        return "it runs another mode or key size (--mode)";
    case REFUSAL_MALFORMED:
        return "it did not understand the request";
    default:
        return "it gave no reason that this program knows";
    }
}
