/* What went wrong, in one sentence: functions that can fail return 0, or -1 with the sentence in a `struct problem`. */
#ifndef CHANNEL_PROBLEM_H
#define CHANNEL_PROBLEM_H

#define PROBLEM_BYTES 256

/* Exit codes: a mistake of who started the program, and an exchange that failed. */
#define EXIT_USER_ERROR 2
#define EXIT_EXCHANGE_FAILED 1

struct problem {
    char text[PROBLEM_BYTES];
};

/* Writes the sentence and returns -1. */
int say(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "program: sentence" on standard error and returns `code`. */
int report(const char *program, const struct problem *problem, int code);

#endif
