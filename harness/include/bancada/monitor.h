/* The monitor: a small command interpreter on the device's serial port. The host side is bancada/monitor/monitor.py.
 *
 * A frame is COBS(payload || CRC-16/CCITT-FALSE of the payload, big endian) || 0x00. Numbers are little endian.
 *
 *   request   sequence (1)  command (1)  body
 *   response  sequence (1)  status (1)   boot nonce (2)  body
 *
 *   1 identify   ->  protocol (1) block bytes (1) key bytes (2) encrypt context (4) decrypt context (4)
 *                    clock in Hz (4, zero if the device does not know) largest body (4)
 *   2 write      buffer (1) offset (4) bytes
 *   3 call       operation (1) count (4) length (4) chain (1)
 *                ->  what the last call returned (1, signed)  timer cycles of the last call (4)
 *   4 read       buffer (1) offset (4) length (4)  ->  bytes
 *
 *   `chain` is a number of operations.h, plus MONITOR_TIMING when only the time is of interest: the buffers are then
 *   undefined afterwards, and the timer is right however long the call takes.
 *
 * A frame that does not decode, or whose CRC is wrong, is dropped without an answer: the host decides what may be
 * repeated. */
#ifndef BANCADA_MONITOR_H
#define BANCADA_MONITOR_H

#define MONITOR_PROTOCOL 3
#define MONITOR_TIMING 0x80

/* The buffer of the firmware that checks calls (guard.h, checked_call.S): two bytes of guards, of which bit 2n is the
 * one before the place n and bit 2n + 1 the one behind it, and four bytes of registers, a bit each. A bit that is set
 * stays set. */
#define MONITOR_CHANGED 14

enum monitor_status {
    MONITOR_OK = 0,
    MONITOR_UNKNOWN_COMMAND = 1,
    MONITOR_UNKNOWN_BUFFER = 2,
    MONITOR_OUT_OF_BOUNDS = 3,
    MONITOR_UNKNOWN_OPERATION = 4,
    MONITOR_MALFORMED = 5
};

#endif
