#include "core/frame.h"

#include <string.h>

#include <tatulink/packet.h>

static const struct tatulink_form form = {FRAME_HEADER_BYTES, FRAME_TAG_BYTES};

bool frame_seal(uint8_t frame[FRAME_BYTES], const struct identity *identity, uint8_t type, uint32_t counter,
                const uint8_t payload[FRAME_PAYLOAD_BYTES])
{
    const struct tatulink_sealer *sealer = identity->suite == FRAME_SUITE_ASCON     ? &tatulink_ascon_sealer
                                           : identity->suite == FRAME_SUITE_AES_CCM ? &tatulink_aes_ccm_sealer
                                                                                    : 0;
    struct tatulink_header header = {counter, identity->device, 0, 0, type, identity->epoch};

    if (sealer != 0 && tatulink_packet_seal(frame, &form, sealer, identity->key, &header, payload,
                                            FRAME_PAYLOAD_BYTES) == FRAME_BYTES) {
        return true;
    }
    memset(frame, 0, FRAME_BYTES);
    return false;
}

bool frame_open(uint8_t payload[FRAME_PAYLOAD_BYTES], uint8_t *type, uint32_t *counter, const struct identity *identity,
                const uint8_t frame[FRAME_BYTES])
{
    /* The suite is the identity's, never the frame's word for it: who forges must not choose the lock. */
    const struct tatulink_opener *opener = identity->suite == FRAME_SUITE_ASCON     ? &tatulink_ascon_opener
                                           : identity->suite == FRAME_SUITE_AES_CCM ? &tatulink_aes_ccm_opener
                                                                                    : 0;
    struct tatulink_header header = {0, 0, 0, 0, 0, 0};
    bool opened = opener != 0 && tatulink_packet_read(&header, &form, opener, frame, FRAME_BYTES) &&
                  header.epoch == identity->epoch && header.sender == identity->device &&
                  tatulink_packet_open(payload, &form, opener, identity->key, &header, frame, FRAME_BYTES);

    *type = header.type;
    *counter = header.counter;
    if (!opened) {
        memset(payload, 0, FRAME_PAYLOAD_BYTES);
    }
    return opened;
}
