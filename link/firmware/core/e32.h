/* The E32-TTL-100 radio module (SX1278, 433 MHz), in transparent mode; with -DLINK_MODULE_E22=1 its successor E22-400T or
 * E22-900T (SX1268, SX1262), which has other commands, listens before it talks, and can tell how strongly it received.
 * An E22 hears no E32.
 *
 * Modes by its pins M1 M0: 0 0 normal; 1 1 sleep, in which alone it takes commands, always at 9600 8N1. AUX is low
 * while it is busy. Everything here waits for AUX with a time limit: a module that hangs must not hang the node.
 *
 * Nothing here ever empties the receiving side: what another sensor sent meanwhile stays in the module's and the
 * board's buffers. (Common drivers flush after each packet and lose the next.)
 *
 * MIT licence. */
#ifndef LINK_E32_H
#define LINK_E32_H

#include <stdbool.h>
#include <stdint.h>

#include "core/hardware.h"

/* Larger than any packet on the air, which at 300 bit/s takes 3 s. */
#define E32_SEND_LIMIT_MS 8000U

/* The third bits of the module's SPED byte, for -DLINK_AIR_RATE=2400 and its like. */
#ifndef LINK_AIR_RATE
#define LINK_AIR_RATE 2400
#endif
#if LINK_AIR_RATE == 300
#define E32_AIR_RATE 0
#elif LINK_AIR_RATE == 1200
#define E32_AIR_RATE 1
#elif LINK_AIR_RATE == 2400
#define E32_AIR_RATE 2
#elif LINK_AIR_RATE == 4800
#define E32_AIR_RATE 3
#elif LINK_AIR_RATE == 9600
#define E32_AIR_RATE 4
#elif LINK_AIR_RATE == 19200
#define E32_AIR_RATE 5
#else
#error "LINK_AIR_RATE: the E32 has 300, 1200, 2400, 4800, 9600 and 19200 bit/s"
#endif

#define E32_DEFAULT_CHANNEL 0x17 /* 433 MHz */

/* Of the E22-900T, so that channels are those of the E32-915T: MHz from 900 on. */
#ifndef LINK_E22_CHANNEL_BASE
#define LINK_E22_CHANNEL_BASE 0
#endif

/* Brings the module to address 0, 9600 8N1, LINK_AIR_RATE, `channel`, `power` (0 to 3: 20, 17, 14, 10 dBm; of the E22
 * 22, 17, 13, 10 dBm), transparent, and reads back whether it holds. `tells_signal`: the E22 puts a byte behind each
 * packet that it received, -(256 - byte) dBm; the E32 cannot.
 * Writes only what differs: the module keeps it in flash. Ends in normal mode. False after three tries in vain: the
 * module may still work, with the settings that it has. */
bool e32_configure(struct hardware *hardware, uint8_t channel, uint8_t power, bool tells_signal);

/* Restarts a module that hangs; e32_configure must follow. */
void e32_restart(struct hardware *hardware);

/* Sleep, and back to normal mode. False: the module was or stayed busy. */
bool e32_sleep(struct hardware *hardware);
bool e32_wake(struct hardware *hardware);

/* Hands one packet of at most 58 bytes to the module. False: it was busy for too long, and got nothing. */
bool e32_write(struct hardware *hardware, const uint8_t *packet, uint8_t length);

/* Waits until the packet is on the air. False: the module stayed busy for E32_SEND_LIMIT_MS. */
bool e32_finish(struct hardware *hardware);

#endif
