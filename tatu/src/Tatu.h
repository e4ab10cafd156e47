/* Tatu in the Arduino IDE: the IDE finds a library only by a header that lies directly in src/, so a sketch begins with
 *
 *     #include <Tatu.h>
 *
 * and then includes what it uses, for example <tatu/aes.h>. This header brings nothing else along on purpose.
 *
 * MIT licence. */
#ifndef TATU_H
#define TATU_H

#include <tatu/error.h>
#include <tatu/wipe.h>

#endif
