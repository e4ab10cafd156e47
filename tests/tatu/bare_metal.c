/* A Cortex-M program in the user mode of QEMU. This file makes newlib's system calls as system calls of ARM Linux, or,
 * on the emulated board, those of cortex_m0_board.c. The
 * program begins at _start with a stack and cleared memory, as after the reset handler of a real device. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

#define HEAP_BYTES (1 << 23)

enum system_call { EXIT = 1, READ = 3, WRITE = 4 };

int main(void);
void _start(void);
void _init(void);
void _fini(void);
void _exit(int status);
int _read(int file, void *buffer, size_t length);
int _write(int file, const void *buffer, size_t length);
int _close(int file);
int _isatty(int file);
int _fstat(int file, struct stat *status);
off_t _lseek(int file, off_t offset, int whence);
pid_t _getpid(void);
int _kill(pid_t process, int signal);
void *_sbrk(ptrdiff_t more);

#if defined(ON_THE_BOARD)

int board_call(int number, int a, const void *b, size_t c); /* cortex_m0_board.c */

static int call(enum system_call number, int a, const void *b, size_t c)
{
    return board_call((int)number, a, b, c);
}

#else

static int call(enum system_call number, int a, const void *b, size_t c)
{
    register int r7 __asm__("r7") = (int)number;
    register int r0 __asm__("r0") = a;
    register const void *r1 __asm__("r1") = b;
    register size_t r2 __asm__("r2") = c;

    __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}

#endif

void _start(void)
{
    exit(main());
}

void _init(void)
{
}

void _fini(void)
{
}

void _exit(int status)
{
    for (;;) {
        (void)call(EXIT, status, NULL, 0);
    }
}

int _read(int file, void *buffer, size_t length)
{
    return call(READ, file, buffer, length);
}

int _write(int file, const void *buffer, size_t length)
{
    return call(WRITE, file, buffer, length);
}

void *_sbrk(ptrdiff_t more)
{
    static char heap[HEAP_BYTES];
    static ptrdiff_t used;
    void *const start = heap + used;

    if (more > HEAP_BYTES - used) {
        return (void *)-1;
    }
    used += more;
    return start;
}

int _close(int file)
{
    (void)file;
    return 0;
}

int _isatty(int file)
{
    (void)file;
    return 0;
}

int _fstat(int file, struct stat *status)
{
    (void)file;
    status->st_mode = S_IFIFO;
    return 0;
}

off_t _lseek(int file, off_t offset, int whence)
{
    (void)file;
    (void)offset;
    (void)whence;
    return -1;
}

pid_t _getpid(void)
{
    return 1;
}

int _kill(pid_t process, int signal)
{
    (void)process;
    (void)signal;
    return -1;
}
