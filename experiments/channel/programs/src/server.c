/* The server: receives a message, decrypts and stores it, encrypts it again and returns it.
 *
 * On standard output one line of JSON when it listens, and one for each exchange with its times in ns on this machine's clock: t2 when
 * it had the whole request, t3 after decryption, t4 before encryption, t5 after. A connection that fails is one line on standard
 * error; the server goes on with the next, and fails in the end. It serves as many connections as it was told to and no more: with
 * CBC, each refusal tells an attacker a little (experiments/channel/README.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tatu/wipe.h>

#include "clock.h"
#include "frame.h"
#include "options.h"
#include "transfer.h"

#define PROGRAM "channel-server"

/* The request, its message, and what is sent back: grown to the longest that came. The message is wiped when it goes. */
struct buffers {
    uint8_t *received;
    uint8_t *message;
    uint8_t *sent;
    size_t room;
};

static void released(struct buffers *buffers)
{
    tatu_wipe(buffers->message, buffers->room);
    free(buffers->received);
    free(buffers->message);
    free(buffers->sent);
    buffers->room = 0;
}

static int grown(struct buffers *buffers, size_t body_bytes)
{
    const size_t room = protection_room(body_bytes);
    if (room <= buffers->room) {
        return 0;
    }
    released(buffers);
    buffers->received = malloc(room);
    buffers->message = malloc(room);
    buffers->sent = malloc(room);
    buffers->room = buffers->received != NULL && buffers->message != NULL && buffers->sent != NULL ? room : 0;
    return buffers->room == 0 ? -1 : 0;
}

/* Tells the client, if it still listens, and fails with the sentence that is in `problem` already. */
static int refuse(int connection, uint8_t reason, int64_t deadline_ns)
{
    const struct frame refusal = {FRAME_REFUSAL, reason, 0, 0, 0, 0, 0};
    struct problem unheard;
    uint8_t header[FRAME_HEADER_BYTES];
    frame_encode(header, &refusal);
    /* Whether the client is still sending or not. */
    (void)transfer_send(connection, header, sizeof header, 0, deadline_ns, "a refusal", &unheard);
    return -1;
}

static int request_fits(const struct frame *request, const struct options *options, uint8_t *reason,
                        struct problem *problem)
{
    const struct protection *protection = options->protection;
    if (request->kind != FRAME_REQUEST) {
        *reason = REFUSAL_MALFORMED;
        return say(problem, "the client sent a frame that is no request");
    }
    if (request->mode != protection->mode || request->key_bytes != protection->key_bytes) {
        *reason = REFUSAL_OTHER_MODE;
        return say(problem, "the client sent a message in mode %u with a key of %u bits; this server runs %s",
                   request->mode, 8U * request->key_bytes, protection->name);
    }
    if (request->body_bytes > protection_room(options->largest_bytes)) {
        *reason = REFUSAL_TOO_LONG;
        return say(problem,
                   "the client announces %" PRIu32 " bytes, more than a message of %zu can take (--largest-bytes)",
                   request->body_bytes, options->largest_bytes);
    }
    return 0;
}

static int serve(int connection, const struct options *options, const uint8_t *key, struct buffers *buffers,
                 unsigned number, struct problem *problem)
{
    const struct protection *protection = options->protection;
    int64_t deadline_ns = now_ns() + options->timeout_ns;
    struct frame request;
    struct frame reply = {FRAME_REPLY, protection->mode, protection->key_bytes, 0, 0, 0, 0};
    uint8_t header[FRAME_HEADER_BYTES];
    uint8_t associated[FRAME_AUTHENTICATED_BYTES + FRAME_LONGEST_NONCE_BYTES];
    uint8_t reason = REFUSAL_MALFORMED;

    if (transfer_receive(connection, header, sizeof header, deadline_ns, "the request's header", problem) != 0) {
        return -1;
    }
    if (frame_decode(&request, header, problem) != 0 || request_fits(&request, options, &reason, problem) != 0) {
        return refuse(connection, reason, deadline_ns);
    }
    if (grown(buffers, request.body_bytes) != 0) {
        (void)say(problem, "there is no memory for a message of %" PRIu32 " bytes", request.body_bytes);
        return refuse(connection, REFUSAL_TOO_LONG, deadline_ns);
    }
    if (transfer_receive(connection, buffers->received, request.body_bytes, deadline_ns, "the request", problem) != 0) {
        return -1;
    }
    const int64_t t2 = now_ns();
    size_t message_bytes = buffers->room;
    size_t associated_bytes = frame_associated(associated, &request, NULL, 0);
    const int unreadable = protection->decrypt(buffers->message, &message_bytes, buffers->received, request.body_bytes,
                                               associated, associated_bytes, key);
    const int64_t t3 = now_ns();
    if (unreadable) {
        (void)say(problem, "the message could not be opened: another key, or it was changed on the way");
        return refuse(connection, REFUSAL_UNREADABLE, t3 + options->timeout_ns);
    }
    if (file_store(options->store, buffers->message, message_bytes, problem) != 0) {
        return -1;
    }
    size_t sent_bytes = buffers->room;
    /* The same message takes the same length, so the header is known before it is encrypted. */
    reply.body_bytes = request.body_bytes;
    associated_bytes = frame_associated(associated, &reply, buffers->received, protection->nonce_bytes);
    const int64_t t4 = now_ns();
    const int failed = protection->encrypt(buffers->sent, &sent_bytes, buffers->message, message_bytes, associated,
                                           associated_bytes, key);
    const int64_t t5 = now_ns();
    if (failed || sent_bytes != reply.body_bytes) {
        return say(problem, "the message could not be encrypted again");
    }
    reply.decrypted_ns = t3 - t2;
    reply.encrypting_ns = t4 - t2;
    reply.encrypted_ns = t5 - t2;
    frame_encode(header, &reply);
    deadline_ns = t5 + options->timeout_ns;
    int early = transfer_send(connection, header, sizeof header, 1, deadline_ns, "the reply's header", problem);
    if (early == 0) {
        early = transfer_send(connection, buffers->sent, sent_bytes, 1, deadline_ns, "the reply", problem);
    }
    if (early > 0) {
        return say(problem, "the client went away before it had the whole reply");
    }
    if (early < 0) {
        return -1;
    }
    printf("{\"exchange\": %u, \"bytes\": %zu, \"t2_ns\": %" PRId64 ", \"t3_ns\": %" PRId64 ", \"t4_ns\": %" PRId64
           ", \"t5_ns\": %" PRId64 "}\n",
           number, message_bytes, t2, t3, t4, t5);
    (void)fflush(stdout);
    return 0;
}

int main(int count, char **arguments)
{
    struct problem problem;
    struct options options;
    struct buffers buffers = {NULL, NULL, NULL, 0};
    uint8_t key[LONGEST_KEY_BYTES];
    uint16_t port = 0;
    unsigned failures = 0;
    if (options_read(&options, count, arguments, 0, &problem) != 0 ||
        key_read(key, options.protection->key_bytes, options.key_file, &problem) != 0) {
        return report(PROGRAM, &problem, EXIT_USER_ERROR);
    }
    const int listening = transfer_listen(options.address, options.port, &port, &problem);
    if (listening < 0) {
        tatu_wipe(key, sizeof key);
        return report(PROGRAM, &problem, EXIT_USER_ERROR);
    }
    printf("{\"listening\": %u}\n", port);
    (void)fflush(stdout);
    for (unsigned number = 1; number <= options.exchanges; number++) {
        const int connection = transfer_accept(listening, now_ns() + options.timeout_ns, &problem);
        if (connection < 0) {
            failures++;
            (void)report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
            break; /* no client connects any more */
        }
        if (serve(connection, &options, key, &buffers, number, &problem) != 0) {
            failures++;
            (void)report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
        }
        transfer_end(connection);
    }
    (void)close(listening);
    released(&buffers);
    tatu_wipe(key, sizeof key);
    return failures == 0 ? 0 : EXIT_EXCHANGE_FAILED;
}
