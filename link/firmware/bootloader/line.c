#include "bootloader/line.h"

#include <avr/io.h>
#include <avr/wdt.h>
#include <util/crc16.h>
#include <tatulink/bytes.h>

#include "bootloader/identity.h"
#include "bootloader/layout.h"

#define BIT(n) ((uint8_t)(1U << (n)))

#define CRC_START 0xffff

/* Polls of the receiver in a quarter of a second: a turn of the loop takes 11 cycles with avr-gcc 5.4. */
#define POLLS (F_CPU / 4 / 11)

static uint8_t hellos;

void line_start(void)
{
    hellos = 0;
    UBRR0L = 16; /* 115200 with U2X at 16 MHz: 2.1 % fast, as on every UNO */
    UCSR0A = BIT(U2X0);
    UCSR0B = BIT(RXEN0) | BIT(TXEN0);
}

void line_end(void)
{
    UCSR0B = 0;
    UCSR0A = 0;
    UBRR0L = 0;
}

/* Of the message under way. */
static uint16_t crc;

static void add_to_crc(uint8_t byte)
{
    crc = _crc_xmodem_update(crc, byte);
}

static void send(uint8_t byte)
{
    while ((UCSR0A & BIT(UDRE0)) == 0) {
    }
    UDR0 = byte;
    add_to_crc(byte);
}

void line_tell(uint8_t what, uint16_t number)
{
    crc = CRC_START;
    send(what);
    send(identity_byte(IDENTITY_TYPE_AT));
    send((uint8_t)(number >> 8));
    send((uint8_t)number);
    uint16_t told = crc;
    send((uint8_t)(told >> 8));
    send((uint8_t)told);
    crc = told;
}

/* Of `receive`, if no byte came for a quarter of a second. */
#define NOTHING 0xffff

static uint16_t receive(void)
{
    for (uint32_t polls = POLLS; polls != 0; polls--) {
        if ((UCSR0A & BIT(RXC0)) != 0) {
            return UDR0;
        }
    }
    return NOTHING;
}

void line_drain(void)
{
    while (receive() != NOTHING) {
    }
}

/* The CRC of the request, the item and the two bytes behind it is 0. */
static bool receive_item(uint8_t *item)
{
    for (uint8_t left = ITEM_BYTES + 2; left != 0; left--) {
        uint16_t byte = receive();

        if (byte == NOTHING) {
            return false;
        }
        add_to_crc((uint8_t)byte);
        if (left > 2) {
            *item++ = (uint8_t)byte;
        }
    }
    return crc == 0;
}

void line_fetch(uint16_t number, uint8_t item[32])
{
    for (;;) {
        line_tell(TELL_WANT, number);
        if (receive_item(item)) {
            break;
        }
        line_drain();
    }
    wdt_reset();
}

bool line_asked(void)
{
    if ((UCSR0A & BIT(RXC0)) != 0) {
        hellos = UDR0 == HELLO_BYTE ? (uint8_t)(hellos + 1) : 0;
    }
    return hellos >= HELLO_TIMES;
}
