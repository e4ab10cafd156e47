#include "problem.h"

#include <stdarg.h>
#include <stdio.h>

int say(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return -1;
}

int report(const char *program, const struct problem *problem, int code)
{
    fprintf(stderr, "%s: %s\n", program, problem->text);
    return code;
}
