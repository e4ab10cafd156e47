/* What the files of the transcript share. */
#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>

#define LONGEST 80
#define LONGEST_HASHED 150

void open_output(void);
void close_output(void);

/* Begins and ends a line: random inputs and the checksum begin anew. */
void begin_line(const char *name);
void end_line(void);

/* Writes random bytes, the same ones on every machine. */
void fill(void *buffer, size_t length);
/* The same as a source of entropy (tatu/entropy.h). */
int random_entropy(void *state, uint8_t *output, size_t length);

/* Adds answers to the line's checksum. */
void fold(const void *buffer, size_t length);
void fold_result(int result);

void transcript_ciphers(void);
void transcript_modes(void);
void transcript_authentication(void);
void transcript_hashes(void);
void transcript_public_key(void);

#endif
