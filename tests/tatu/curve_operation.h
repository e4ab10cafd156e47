/* An operation of a curve's programs, for tests. The file that includes this includes the curve's own header. */
#ifndef TATU_TESTS_CURVE_OPERATION_H
#define TATU_TESTS_CURVE_OPERATION_H

#include <string.h>

/* An AVR reads programs from flash. */
#if defined(__AVR__)
#include <avr/pgmspace.h>
#define PROGRAMS PROGMEM
#else
#define PROGRAMS
#endif

#define CURVE_PROGRAMS(number)                                                     \
    {                                                                              \
        {TATU_INTERNAL_CURVE_OPERATION(number, 0, 0, 1), TATU_INTERNAL_CURVE_END}, \
        {TATU_INTERNAL_CURVE_OPERATION(number, 1, 0, 1), TATU_INTERNAL_CURVE_END}, \
        {TATU_INTERNAL_CURVE_OPERATION(number, 2, 0, 1), TATU_INTERNAL_CURVE_END}, \
    }

static const uint8_t curve_programs[7][3][3] PROGRAMS = {
    CURVE_PROGRAMS(0), CURVE_PROGRAMS(1), CURVE_PROGRAMS(2), CURVE_PROGRAMS(3),
    CURVE_PROGRAMS(4), CURVE_PROGRAMS(5), CURVE_PROGRAMS(6),
};

/* result = a and b, modulo p or, if `operation` is 9, multiplied modulo n; big-endian. It is computed in place of either
 * operand too: where that differs, the result is zeros. */
static inline void curve_operate(uint8_t result[32], uint8_t operation, const uint8_t a[32], const uint8_t b[32])
{
    static struct tatu_internal_curve_state state;
    uint8_t in_place[32];
    uint8_t is_same = 1;

    for (uint8_t place = 3; place > 0; place--) {
        const uint8_t to = place - 1;

        CURVE(load)(state.number[0], a);
        CURVE(load)(state.number[1], b);
        if (operation == 9) {
            CURVE(order_multiply)(state.number[to], state.number[0], state.number[1]);
        } else {
            CURVE(run)(&state, curve_programs[operation][to]);
        }
        CURVE(store)(to == 2 ? result : in_place, state.number[to]);
        is_same = is_same && (to == 2 || memcmp(result, in_place, sizeof in_place) == 0);
    }
    if (!is_same) {
        memset(result, 0, 32);
    }
}

#endif
