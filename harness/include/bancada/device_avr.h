/* Timed regions on an ATmega. The sequences are fixed assembly, so that an empty region costs exactly what the brackets
 * of a full one cost, and can be subtracted. r1 is __zero_reg__, which clang's assembler does not know by that name.
 *
 * A write to GPIOR0 is the marker that the simulator sees; on silicon it writes a register that nothing reads
 * (ATmega328P data sheet, 8.5: general purpose I/O registers). Timer 1 counts CPU cycles (16.11, no prescaling). */
#ifndef BANCADA_DEVICE_AVR_H
#define BANCADA_DEVICE_AVR_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#define DEVICE_MARKER_BEGIN 0x01
#define DEVICE_MARKER_END 0x02
#define DEVICE_MARKER_READY 0x10
#define DEVICE_MARKER_WAITING 0x11
#define DEVICE_MARKER_HALT 0x12

/* TCNT1 is written high byte first and read low byte first, through the shared TEMP register (16.3). */
#define DEVICE_REGION_BEGIN()                                                                                \
    do {                                                                                                     \
        TIFR1 = (uint8_t)(1 << TOV1);                                                                        \
        __asm__ __volatile__("sts %[high], r1\n\t"                                                           \
                             "sts %[low], r1\n\t"                                                            \
                             "out %[marker], %[value]"                                                       \
                             :                                                                               \
                             : [high] "n"(_SFR_MEM_ADDR(TCNT1H)), [low] "n"(_SFR_MEM_ADDR(TCNT1L)),          \
                               [marker] "I"(_SFR_IO_ADDR(GPIOR0)), [value] "r"((uint8_t)DEVICE_MARKER_BEGIN) \
                             : "memory");                                                                    \
    } while (0)

#define DEVICE_REGION_END()                                                                         \
    do {                                                                                            \
        __asm__ __volatile__("ldi r24, %[value]\n\t"                                                \
                             "out %[marker], r24\n\t"                                               \
                             "lds r24, %[low]\n\t"                                                  \
                             "lds r25, %[high]\n\t"                                                 \
                             "sts device_timer_ticks, r24\n\t"                                      \
                             "sts device_timer_ticks+1, r25"                                        \
                             :                                                                      \
                             : [high] "n"(_SFR_MEM_ADDR(TCNT1H)), [low] "n"(_SFR_MEM_ADDR(TCNT1L)), \
                               [marker] "I"(_SFR_IO_ADDR(GPIOR0)), [value] "M"(DEVICE_MARKER_END)   \
                             : "r24", "r25", "memory");                                             \
    } while (0)

#define DEVICE_COARSE_CYCLES 1024UL
#define DEVICE_CLOCK_HZ F_CPU
#define DEVICE_BODY_BYTES 64

#if defined(__cplusplus)
extern "C" {
#endif
extern volatile uint16_t device_timer_ticks;

bool device_timer_overflowed(void);
void device_timer_use_coarse(bool coarse);
#if defined(__cplusplus)
}
#endif

#endif
