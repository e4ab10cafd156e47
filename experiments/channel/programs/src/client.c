/* The client: encrypts a message, sends it, receives the server's copy of it, decrypts and stores that, and compares the two.
 *
 * For each exchange one line of JSON on standard output: t0 before encryption, t1 after, t6 when it had the whole reply, t7 after
 * decryption, in ns on this machine's clock; and the server's t3, t4 and t5 from its t2 on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/wipe.h>

#include "clock.h"
#include "frame.h"
#include "options.h"
#include "transfer.h"

#define PROGRAM "channel-client"

/* What an exchange works on: the message, what is sent, what comes back, and the decrypted copy. */
struct buffers {
    uint8_t *message;
    uint8_t *sent;
    uint8_t *received;
    uint8_t *copy;
    size_t length;
    size_t room;
};

static int different(const struct buffers *buffers, size_t copy_bytes, struct problem *problem)
{
    size_t at = 0;
    while (at < copy_bytes && at < buffers->length && buffers->copy[at] == buffers->message[at]) {
        at++;
    }
    if (at == copy_bytes && at == buffers->length) {
        return 0;
    }
    return say(
        problem,
        "the copy that came back is not the message that was sent: they differ from byte %zu on (%zu and %zu bytes); this mode "
        "does not notice changes by itself",
        at, copy_bytes, buffers->length);
}

static int reply_fits(const struct frame *reply, const struct frame *request, const struct buffers *buffers,
                      struct problem *problem)
{
    if (reply->kind == FRAME_REFUSAL) {
        return say(problem, "the server refused the message: %s", frame_refusal(reply->mode));
    }
    if (reply->kind != FRAME_REPLY) {
        return say(problem, "the server sent a frame that is no reply");
    }
    if (reply->mode != request->mode || reply->key_bytes != request->key_bytes) {
        return say(problem, "the server replied in another mode or with another key size than it was asked in");
    }
    if (reply->body_bytes > buffers->room) {
        return say(problem,
                   "the server announces a reply of %" PRIu32 " bytes, more than the %zu that an answer can have",
                   reply->body_bytes, buffers->room);
    }
    return 0;
}

static int exchange(int connection, const struct options *options, const uint8_t *key, struct buffers *buffers,
                    unsigned number, struct problem *problem)
{
    const struct protection *protection = options->protection;
    struct frame request = {FRAME_REQUEST, protection->mode, protection->key_bytes, 0, 0, 0, 0};
    struct frame reply;
    uint8_t header[FRAME_HEADER_BYTES];
    uint8_t associated[FRAME_AUTHENTICATED_BYTES + FRAME_LONGEST_NONCE_BYTES];
    size_t sent_bytes = buffers->room;
    size_t copy_bytes = buffers->room;

    /* The header is authenticated, so its length must be known before: it follows from the mode. */
    request.body_bytes = (uint32_t)(protection->mode == FRAME_AES_CBC
                                        ? protection->nonce_bytes + buffers->length + 16 - buffers->length % 16
                                        : protection->nonce_bytes + buffers->length + protection->tag_bytes);
    const size_t associated_bytes = frame_associated(associated, &request, NULL, 0);
    const int64_t t0 = now_ns();
    const int failed = protection->encrypt(buffers->sent, &sent_bytes, buffers->message, buffers->length, associated,
                                           associated_bytes, key);
    const int64_t t1 = now_ns();
    if (failed || sent_bytes != request.body_bytes) {
        return say(
            problem,
            "the message of %zu bytes could not be encrypted: too long for this mode, or the system gave no random bytes",
            buffers->length);
    }
    const int64_t deadline_ns = t1 + options->timeout_ns;
    frame_encode(header, &request);
    int early = transfer_send(connection, header, sizeof header, 1, deadline_ns, "the request's header", problem);
    if (early == 0) {
        early = transfer_send(connection, buffers->sent, sent_bytes, 1, deadline_ns, "the request", problem);
    }
    if (early < 0 ||
        transfer_receive(connection, header, sizeof header, deadline_ns, "the reply's header", problem) != 0 ||
        frame_decode(&reply, header, problem) != 0 || reply_fits(&reply, &request, buffers, problem) != 0) {
        return -1;
    }
    if (early > 0) {
        return say(problem, "the server replied before it had the whole request");
    }
    if (transfer_receive(connection, buffers->received, reply.body_bytes, deadline_ns, "the reply", problem) != 0) {
        return -1;
    }
    const int64_t t6 = now_ns();
    const size_t reply_associated_bytes = frame_associated(associated, &reply, buffers->sent, protection->nonce_bytes);
    const int refused = protection->decrypt(buffers->copy, &copy_bytes, buffers->received, reply.body_bytes, associated,
                                            reply_associated_bytes, key);
    const int64_t t7 = now_ns();
    if (refused) {
        return say(problem, "the reply could not be opened: another key, or it was changed on the way");
    }
    if (reply.encrypted_ns > t6 - t1) {
        return say(problem, "the server says that it took longer than the whole exchange");
    }
    if (file_store(options->store, buffers->copy, copy_bytes, problem) != 0 ||
        different(buffers, copy_bytes, problem) != 0) {
        return -1;
    }
    printf("{\"exchange\": %u, \"bytes\": %zu, \"t0_ns\": %" PRId64 ", \"t1_ns\": %" PRId64 ", \"t6_ns\": %" PRId64
           ", \"t7_ns\": %" PRId64 ", \"t3_after_t2_ns\": %" PRId64 ", \"t4_after_t2_ns\": %" PRId64
           ", \"t5_after_t2_ns\": %" PRId64 "}\n",
           number, buffers->length, t0, t1, t6, t7, reply.decrypted_ns, reply.encrypting_ns, reply.encrypted_ns);
    (void)fflush(stdout);
    return 0;
}

static int exchange_all(const struct options *options, const uint8_t *key, struct buffers *buffers,
                        struct problem *problem)
{
    buffers->room = protection_room(buffers->length);
    buffers->sent = malloc(buffers->room);
    buffers->received = malloc(buffers->room);
    buffers->copy = malloc(buffers->room);
    if (buffers->sent == NULL || buffers->received == NULL || buffers->copy == NULL) {
        return say(problem, "there is no memory for a message of %zu bytes", buffers->length);
    }
    /* Pages that the system first has to find are no part of what is measured. */
    memset(buffers->sent, 0, buffers->room);
    memset(buffers->received, 0, buffers->room);
    memset(buffers->copy, 0, buffers->room);
    for (unsigned number = 1; number <= options->exchanges; number++) {
        const int connection =
            transfer_connect(options->address, options->port, now_ns() + options->timeout_ns, problem);
        if (connection < 0) {
            return -1;
        }
        const int result = exchange(connection, options, key, buffers, number, problem);
        transfer_end(connection);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

int main(int count, char **arguments)
{
    struct problem problem;
    struct options options;
    struct buffers buffers = {NULL, NULL, NULL, NULL, 0, 0};
    uint8_t key[LONGEST_KEY_BYTES];
    if (options_read(&options, count, arguments, 1, &problem) != 0 ||
        key_read(key, options.protection->key_bytes, options.key_file, &problem) != 0 ||
        file_read(&buffers.message, &buffers.length, options.message, options.largest_bytes, &problem) != 0) {
        tatu_wipe(key, sizeof key);
        return report(PROGRAM, &problem, EXIT_USER_ERROR);
    }
    const int result = exchange_all(&options, key, &buffers, &problem);
    tatu_wipe(key, sizeof key);
    tatu_wipe(buffers.message, buffers.length);
    if (buffers.copy != NULL) {
        tatu_wipe(buffers.copy, buffers.room);
    }
    free(buffers.message);
    free(buffers.sent);
    free(buffers.received);
    free(buffers.copy);
    return result == 0 ? 0 : report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
}
