/* One sentence for the person at the keyboard, and exit code 2. MIT licence. */
#ifndef FLEET_FAIL_H
#define FLEET_FAIL_H

void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
