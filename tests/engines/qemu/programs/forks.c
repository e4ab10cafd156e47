/* A parent and a child in the same loop at the same time, of different lengths. */
#include <sys/wait.h>
#include <unistd.h>

#define IN_PARENT 200000u
#define IN_CHILD 3000000u

__attribute__((noinline)) static void turns(unsigned count)
{
    while (count-- > 0) {
        __asm__ volatile("" ::: "memory");
    }
}

__attribute__((noinline)) void parent_and_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        turns(IN_CHILD);
        _exit(0);
    }
    turns(IN_PARENT);
    (void)waitpid(child, 0, 0);
}

int main(void)
{
    parent_and_child();
    return 0;
}
