#include <tatulink/packet.h>

#include <string.h>

#include <tatulink/bytes.h>

enum form_number { FORM_STANDARD = 1, FORM_SHORT, FORM_WIDE };

static uint8_t number_of(const struct tatulink_form *form)
{
    return form->header_bytes == TATULINK_SHORT_HEADER_BYTES  ? FORM_SHORT
           : form->header_bytes == TATULINK_WIDE_HEADER_BYTES ? FORM_WIDE
                                                              : FORM_STANDARD;
}

/* The header that is sealed, whole whatever is on the air. Its length. */
static uint8_t pack(uint8_t whole[TATULINK_WIDE_HEADER_BYTES], const struct tatulink_form *form, uint8_t suite,
                    const struct tatulink_header *header)
{
    whole[0] = (uint8_t)((uint8_t)(number_of(form) << 4) | (header->type & 0x0f));
    whole[1] = (uint8_t)((uint8_t)(suite << 4) | (header->epoch & 0x0f));
    put_u16(whole + 2, header->sender);
    put_u32(whole + 4, header->counter);
    if (form->header_bytes != TATULINK_WIDE_HEADER_BYTES) {
        return TATULINK_STANDARD_HEADER_BYTES;
    }
    put_u16(whole + 8, header->recipient);
    put_u16(whole + 10, header->topic);
    return TATULINK_WIDE_HEADER_BYTES;
}

#define USUAL_TAG_BYTES 8

static void make_nonce(uint8_t nonce[TATULINK_NONCE_BYTES], const uint8_t *whole, uint8_t whole_bytes,
                       const struct tatulink_form *form)
{
    memset(nonce, 0, TATULINK_NONCE_BYTES);
    memcpy(nonce, whole, whole_bytes);
    if (form->tag_bytes != USUAL_TAG_BYTES) {
        nonce[TATULINK_NONCE_BYTES - 1] = form->tag_bytes;
    }
}

uint8_t tatulink_packet_seal(uint8_t *packet, const struct tatulink_form *form, const struct tatulink_sealer *sealer,
                             const uint8_t *key, const struct tatulink_header *header, const uint8_t *message,
                             uint8_t bytes)
{
    uint8_t whole[TATULINK_WIDE_HEADER_BYTES];
    uint8_t nonce[TATULINK_NONCE_BYTES];
    uint8_t whole_bytes = pack(whole, form, sealer->number, header);
    uint8_t *ciphertext = packet + form->header_bytes;
    uint8_t overhead = (uint8_t)(form->header_bytes + form->tag_bytes);
    struct tatulink_sealing sealing = {key, nonce, whole, message, ciphertext, whole_bytes, bytes, form->tag_bytes};

    if (bytes > UINT8_MAX - overhead) {
        return 0;
    }
    make_nonce(nonce, whole, whole_bytes, form);
    if (!sealer->seal(&sealing, ciphertext + bytes)) {
        return 0;
    }
    memcpy(packet, whole, form->header_bytes);
    if (form->header_bytes == TATULINK_SHORT_HEADER_BYTES) {
        packet[1] = whole[3];
        memcpy(packet + 2, whole + 6, 2);
    }
    return (uint8_t)(overhead + bytes);
}

bool tatulink_packet_read(struct tatulink_header *header, const struct tatulink_form *form,
                          const struct tatulink_opener *opener, const uint8_t *packet, uint8_t packet_bytes)
{
    if (packet_bytes < form->header_bytes + form->tag_bytes || packet[0] >> 4 != number_of(form)) {
        return false;
    }
    header->type = packet[0] & 0x0f;
    if (form->header_bytes == TATULINK_SHORT_HEADER_BYTES) {
        header->sender = (uint16_t)((header->sender & 0xff00U) | packet[1]);
        header->counter = (header->counter & UINT32_C(0xffff0000)) | get_u16(packet + 2);
        return true;
    }
    if (packet[1] >> 4 != opener->number) {
        return false;
    }
    header->epoch = packet[1] & 0x0f;
    header->sender = get_u16(packet + 2);
    header->counter = get_u32(packet + 4);
    if (form->header_bytes == TATULINK_WIDE_HEADER_BYTES) {
        header->recipient = get_u16(packet + 8);
        header->topic = get_u16(packet + 10);
    }
    return true;
}

bool tatulink_packet_open(uint8_t *message, const struct tatulink_form *form, const struct tatulink_opener *opener,
                          const uint8_t *key, const struct tatulink_header *header, const uint8_t *packet,
                          uint8_t packet_bytes)
{
    uint8_t whole[TATULINK_WIDE_HEADER_BYTES];
    uint8_t nonce[TATULINK_NONCE_BYTES];
    uint8_t whole_bytes = pack(whole, form, opener->number, header);
    uint8_t bytes = (uint8_t)(packet_bytes - form->header_bytes - form->tag_bytes);
    const uint8_t *ciphertext = packet + form->header_bytes;
    struct tatulink_sealing sealing = {key, nonce, whole, ciphertext, message, whole_bytes, bytes, form->tag_bytes};

    make_nonce(nonce, whole, whole_bytes, form);
    return opener->open(&sealing, ciphertext + bytes);
}
