#include "core/reading.h"

#include <tatulink/bytes.h>

void reading_pack(uint8_t payload[FRAME_PAYLOAD_BYTES], const struct reading *reading)
{
    put_u32(payload, reading->unix_s);
    put_u32(payload + 4, reading->rain_pulses);
    put_u32(payload + 8, (uint32_t)reading->temperature_mc);
    put_u16(payload + 12, reading->flags);
    put_u16(payload + 14, reading->supply_mv);
}

void reading_pack_boot(uint8_t payload[FRAME_PAYLOAD_BYTES], uint32_t unix_s, uint8_t reset_cause, uint32_t orders,
                       uint32_t mark)
{
    put_u32(payload, unix_s);
    put_u32(payload + 4, (orders & UINT32_C(0xffffff00)) | reset_cause);
    put_u32(payload + 8, FIRMWARE_VERSION);
    put_u32(payload + 12, mark);
}
