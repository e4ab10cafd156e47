/* LMS signatures of an image's header (RFC 8554), with SHA-256 of Tatu. MIT licence. */
#ifndef LINK_BOOTLOADER_SIGNATURE_H
#define LINK_BOOTLOADER_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

/* Gets an item of the manifest. False if the verification shall end without a result. */
typedef bool get_item(uint8_t number, uint8_t item[32]);

/* Whether the identity's key has signed the header. The signature's items, 2 to 79, are asked for once each and in
 * order; after that the header is as it was. False also if an item could not be had. */
bool signature_holds(const uint8_t header[64], get_item *get);

#endif
