/* Every IV that an Arduino UNO can make with random(), if randomSeed(analogRead(0)) comes before each: the converter
 * gives 10 bits, so there are 1,023 seeds other than 0, which randomSeed ignores. random(0, 0xff) is the remainder of
 * avr-libc's random() by 255. The serial port sends the IVs, 16 bytes each. */
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdlib.h>

#define SEEDS 1024
#define BLOCK 16

int main(void)
{
    UBRR0 = 0;
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
    for (uint16_t seed = 1; seed < SEEDS; seed++) {
        srandom(seed);
        for (uint8_t at = 0; at < BLOCK; at++) {
            while (!(UCSR0A & (1 << UDRE0))) {
            }
            UDR0 = (uint8_t)(random() % 0xff);
        }
    }
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    sleep_enable();
    for (;;) {
        sleep_cpu();
    }
}
