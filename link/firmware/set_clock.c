/* Sets the DS3231: flash it, open the serial port at 115200, send "T1767225600\n" (Unix time; the clock is set when the
 * newline arrives), read "set 1767225600" or why not, then flash the sensor. MIT licence. */
#include "board/board.h"
#include "board/pins.h"
#include "core/ds3231.h"

#define EARLIEST_S UINT32_C(946684800) /* 2000-01-01 */
#define LATEST_S UINT32_C(4102444799) /* 2099-12-31 23:59:59 */

static const char ask[] PROGMEM = "send T and the Unix time, then a newline\r\n";
static const char done[] PROGMEM = "set\r\n";
static const char no_clock[] PROGMEM = "no DS3231 answers on SDA and SCL\r\n";
static const char bad_time[] PROGMEM = "that is no time between 2000 and 2099\r\n";

static char next_letter(void)
{
    UCSR0B |= BIT(RXEN0);
    while ((UCSR0A & BIT(RXC0)) == 0) {
    }
    return (char)UDR0;
}

/* The digits up to the newline; 0 if there are others, or too many. */
static uint32_t read_time(void)
{
    uint32_t value = 0;
    bool good = true;

    for (char letter = next_letter(); letter != '\n'; letter = next_letter()) {
        if (letter >= '0' && letter <= '9' && value <= LATEST_S / 10) {
            value = value * 10 + (uint32_t)(letter - '0');
        } else if (letter != '\r') {
            good = false;
        }
    }
    return good && value >= EARLIEST_S && value <= LATEST_S ? value : 0;
}

int main(void)
{
    board_pins_init();
    board_say(ask);
    for (;;) {
        while (next_letter() != 'T') {
        }
        uint32_t time_s = read_time();
        if (time_s == 0) {
            board_say(bad_time);
        } else if (ds3231_set(0, time_s)) {
            board_say(done);
        } else {
            board_say(no_clock);
        }
    }
}
