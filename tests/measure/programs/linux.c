/* A Linux program that is not the laboratory's: `adds` is called so many times as there are arguments, with 1000, 2000, ... */
__attribute__((noinline)) unsigned adds(unsigned times);
void never_called(void);

unsigned adds(unsigned times)
{
    unsigned sum = 0;
    for (; times > 0; times--) {
        sum += times;
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

__attribute__((used)) void never_called(void)
{
}

int main(int count, char **words)
{
    unsigned sum = 0;
    (void)words;
    for (int i = 1; i < count; i++) {
        sum += adds(1000U * (unsigned)i);
    }
    return sum == 1;
}
