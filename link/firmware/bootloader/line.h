/* The serial line to the computer, 115200 8N1. MIT licence. */
#ifndef LINK_BOOTLOADER_LINE_H
#define LINK_BOOTLOADER_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* What the bootloader tells. Each message is six bytes: one of these, the device type, a number of two bytes, and a
 * CRC-16/CCITT-FALSE of these four. */
#define TELL_HELLO 'H'           /* ready for an update; the number is the floor */
#define TELL_WANT 'W'            /* send the item of this number */
#define TELL_DONE 'D'            /* the image is complete */
#define TELL_OTHER_DEVICE 'T'    /* of another device type, or no image */
#define TELL_WRONG_SIZE 'L'      /* more pages than there are */
#define TELL_TOO_OLD 'V'         /* the number is the floor */
#define TELL_WRONG_SIGNATURE 'S' /* not signed with the key of this site */
#define TELL_WRONG_PAGE 'P'      /* page of this number: not the one that was signed */

void line_start(void);

/* Turns the line off, as a reset leaves it. */
void line_end(void);

void line_tell(uint8_t what, uint16_t number);

/* Waits until nothing has come for a quarter of a second. */
void line_drain(void);

/* Asks for an item until it comes whole: 32 bytes, and the CRC of the request's first four bytes and of these. Never
 * returns if the computer is gone: then the watchdog resets the device. */
void line_fetch(uint16_t number, uint8_t item[32]);

/* Whether a computer asks for an update: HELLO_TIMES HELLO_BYTE came in turn since line_start. To be called every 20 ms
 * at least. */
bool line_asked(void);

#define HELLO_BYTE 'U'
#define HELLO_TIMES 3

#endif
