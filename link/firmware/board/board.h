/* What both boards do beyond core/hardware.h. MIT licence. */
#ifndef LINK_BOARD_H
#define LINK_BOARD_H

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
#include <stdint.h>

/* Marks for a simulator, in registers that nothing on silicon reads (data sheet, 8.5). */
#define MARK_READY 0x10
#define MARK_BEGIN 0x01
#define MARK_END 0x02

#define REGION_SEAL 1
#define REGION_OPEN 2
#define REGION_ENCRYPT 3
#define REGION_DECRYPT 4
#define REGION_SET_KEY 5

/* The compiler must not move work across a mark. */
#define MARK_REGION_BEGIN(region)              \
    do {                                       \
        GPIOR1 = (region);                     \
        __asm__ __volatile__("" ::: "memory"); \
        GPIOR0 = MARK_BEGIN;                   \
        __asm__ __volatile__("" ::: "memory"); \
    } while (0)
#define MARK_REGION_END()                      \
    do {                                       \
        __asm__ __volatile__("" ::: "memory"); \
        GPIOR0 = MARK_END;                     \
    } while (0)

/* MCUSR as the last reset left it (data sheet, 10.9.1). Behind a bootloader that clears it: 0. */
uint8_t board_reset_cause(void);

/* All pins to their state at rest; what is not connected gets a pull-up, for a floating input draws current. */
void board_pins_init(void);

void board_led(bool on);

/* The E32's serial line. Receiving fills a ring by interrupts; `board_e32_take` empties it. */
void board_e32_init(void);
void board_e32_receive(bool on);
bool board_e32_take(uint8_t *byte);

/* Bytes that were lost because the buffer was full, or came without a stop bit. Never falls. */
uint16_t board_e32_overruns(void);

/* One line of text at 115200 8N1, and back when it is out. */
void board_say(PGM_P text);

#endif
