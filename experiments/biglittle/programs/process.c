/* A sender or a receiver as a whole process, as the study simulated them: it starts, takes its key, handles one message
 * and ends. observe.py writes PROCESS_DATA: the key, the text, and the packet that a receiver gets. */
#include "message/message_program.h"

#include <stdio.h>

#include PROCESS_DATA

PB_BIND(Reading, Reading, AUTO)

#if defined(BANCADA_SIGNS)
#include "bancada/entropy_from_host.h"
#endif

#if defined(PROCESS_COUNTS_HEAP)
#include <malloc.h>

/* The linker sends every malloc here (--wrap). What is counted is what malloc gave, which it rounds. */
static size_t heap_bytes;
static size_t most_heap_bytes;

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);

static void *taken(void *made)
{
    heap_bytes += made == NULL ? 0 : malloc_usable_size(made);
    most_heap_bytes = heap_bytes > most_heap_bytes ? heap_bytes : most_heap_bytes;
    return made;
}

void *__wrap_malloc(size_t size)
{
    return taken(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return taken(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    heap_bytes -= old == NULL ? 0 : malloc_usable_size(old);
    return taken(__real_realloc(old, size));
}

void __wrap_free(void *old)
{
    heap_bytes -= old == NULL ? 0 : malloc_usable_size(old);
    __real_free(old);
}
#endif

static Reading reading;

#if defined(PROCESS_SENDS)
static uint8_t made_packet[MESSAGE_PACKET_BYTES];
static size_t made_bytes;
#if defined(BANCADA_SIGNS)
static bancada_sign_context signer;
#define CONTEXT_BYTES sizeof signer
#endif
#elif defined(BANCADA_SIGNS)
static bancada_verify_context verifier;
#define CONTEXT_BYTES sizeof verifier
#endif
#if !defined(BANCADA_SIGNS)
#define CONTEXT_BYTES ((size_t)0)
#endif

static int take_key(void)
{
#if !defined(BANCADA_SIGNS)
    return 0;
#elif defined(PROCESS_SENDS)
    memcpy(entropy_seed, process_seed, sizeof entropy_seed);
    entropy_restart();
    return bancada_set_sign_key(&signer, process_key);
#else
    return bancada_set_verify_key(&verifier, process_key);
#endif
}

/* The message alone, which is measured apart. */
int process_message(void);

int process_message(void)
{
#if defined(PROCESS_SENDS) && defined(BANCADA_SIGNS)
    return message_send(&signer, &reading, made_packet, &made_bytes);
#elif defined(PROCESS_SENDS)
    return message_send(&reading, made_packet, &made_bytes);
#elif defined(BANCADA_SIGNS)
    return message_receive(&verifier, &reading, process_packet, sizeof process_packet);
#else
    return message_receive(&reading, process_packet, sizeof process_packet);
#endif
}

int main(void)
{
#if defined(PROCESS_COUNTS_HEAP)
    size_t before = heap_bytes; /* the C library's own */
    most_heap_bytes = before;
#endif
#if defined(PROCESS_SENDS)
    memcpy(reading.data, process_text, sizeof process_text);
#endif
    int status = take_key();
    if (status == 0) {
        status = process_message();
    }
#if defined(PROCESS_COUNTS_HEAP)
    size_t most = most_heap_bytes - before;
    (void)fprintf(stderr, "%zu %zu\n", most, CONTEXT_BYTES);
#endif
#if defined(PROCESS_SENDS)
    (void)fwrite(made_packet, 1, made_bytes, stdout);
#else
    (void)fputs(reading.data, stdout);
#endif
    return status == 0 ? 0 : 1;
}
