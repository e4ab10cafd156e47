/* Runs on the device: paints the free stack, runs one operation of Tatu, and sends what it left below the stack
 * pointer; each operation RUNS times, with other keys and messages each time. A byte that follows them is a secret left
 * behind, for whatever runs next and reads its own uninitialised variables. So is a register that a function may change
 * and that follows them.
 *
 * For each operation over the UART: its name and a zero; then for each run what the operation returned (one byte) and
 * WINDOW bytes, the last of them at the stack pointer; then REGISTERS bytes, what the registers held that it may
 * change: r0, r18 to r27, r30 and r31. */
#include <avr/io.h>

#define HALT 0x12

/* Longer than a block of every algorithm, and no multiple of one: last blocks that are not whole have buffers. */
#define LENGTH 71

#include "wiping_operations.h"

#define DEFINE(name, before, observed) \
    static void before_##name(void)    \
    {                                  \
        before;                        \
    }                                  \
    static void observed_##name(void)  \
    {                                  \
        observed;                      \
    }
COMMON_OPERATIONS(DEFINE)

static const struct operation {
    const char *name;
    void (*before)(void);
    void (*observed)(void);
} operations[] = {
#define ROW(name, before, observed) {#name, before_##name, observed_##name},
    COMMON_OPERATIONS(ROW)};

/* In line: a call would overwrite the stack that is being sent. */
static inline __attribute__((always_inline)) void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

/* An operation may save a register that it need not, and with it what earlier code left there: not its own secret. */
static inline __attribute__((always_inline)) void clear_scratch_registers(void)
{
    __asm__ volatile("clr r0\n clr r18\n clr r19\n clr r20\n clr r21\n clr r22\n clr r23\n clr r24\n clr r25\n"
                     "clr r26\n clr r27\n" ::
                         : "r0", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27");
}

static uint8_t registers[REGISTERS] __attribute__((used));

/* Directly behind the call, before the compiler uses a register. */
static inline __attribute__((always_inline)) void keep_registers(void)
{
    __asm__ volatile("sts registers, r0\n sts registers+1, r18\n sts registers+2, r19\n sts registers+3, r20\n"
                     "sts registers+4, r21\n sts registers+5, r22\n sts registers+6, r23\n sts registers+7, r24\n"
                     "sts registers+8, r25\n sts registers+9, r26\n sts registers+10, r27\n"
                     "sts registers+11, r30\n sts registers+12, r31\n" ::
                         : "memory");
}

static __attribute__((noinline)) void observe(void (*observed)(void))
{
    volatile uint8_t *const top = (volatile uint8_t *)SP;
    for (uint16_t i = 0; i < WINDOW; i++) {
        top[-(int16_t)i] = PAINT;
    }
    result = TATU_OK;
    clear_scratch_registers();
    observed();
    keep_registers();
    send((uint8_t)result);
    for (uint16_t i = WINDOW; i > 0; i--) {
        send(top[1 - (int16_t)i]);
    }
    for (uint8_t i = 0; i < REGISTERS; i++) {
        send(registers[i]);
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint8_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *name = operations[i].name;
        do {
            send((uint8_t)*name);
        } while (*name++ != 0);
        for (run = 0; run < RUNS; run++) {
            make_secrets();
            operations[i].before();
            observe(operations[i].observed);
        }
    }
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
