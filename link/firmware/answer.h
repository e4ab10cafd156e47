/* What the server answers: listening after a frame, and doing what it asks. Only a sensor with sealed frames listens
 * (answer.c); paper mode does not (packet_paper.c). MIT licence. */
#ifndef LINK_ANSWER_H
#define LINK_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/settings.h"

/* `settings`: as they are in EEPROM. */
void answer_start(const struct settings *settings);

/* Flags of enum READING_... and the number of the last order. */
uint16_t answer_flags(void);

/* Whether the law leaves time for one more frame; the time is then spent. Else the refusal is counted. */
bool answer_may_send(void);

/* Keeps a frame in case it is missing later. `sent_ms`: when its first byte goes to the module, by the board's clock; 0
 * if it is not sent. */
void answer_keep(const uint8_t frame[FRAME_BYTES], uint32_t sent_ms);

/* Listens for an answer to the frame that has just been sent, and does what it asks. True: channel or power in
 * `settings` have changed, and the module must be configured. */
bool answer_listen(struct settings *settings);

/* A frame to be sent again; NULL if there is none. */
const uint8_t *answer_missing(void);

#endif
