/* Sends LENGTH bytes without a pause, a pause of PAUSE_MS, and TAIL more; says when AUX falls and rises, in
 * microseconds from the first start bit. */
#include "probe.h"

#ifndef PAUSE_MS
#define PAUSE_MS 0
#endif
#ifndef WAKE_UP
#define WAKE_UP 0
#endif
#ifndef TAIL
#define TAIL 0
#endif

int main(void)
{
    begin();
    mode(0, WAKE_UP);
    _delay_ms(200);
    uint8_t aux_after_one = 1;
    TCCR1B = _BV(CS12); /* 16 us */
    TCNT1 = 0;
    for (uint16_t i = 0; i < LENGTH; i++) {
        put((uint8_t)i);
        if (i == 0) {
            aux_after_one = aux();
        }
    }
    _delay_ms(PAUSE_MS);
    for (uint16_t i = TAIL; i > 0; i--) {
        put(0xaa);
    }
    while (!aux()) {
    }
    uint16_t rises = TCNT1;
    say_number("aux-rises-us", rises * 16UL);
    say_number("aux-after-one-byte", aux_after_one);
    end();
}
