/* Bare firmware that is not the laboratory's: functions whose cycles the manuals' tables give by counting. */
__attribute__((naked, noinline)) void counts_to_ten(void);
__attribute__((naked, noinline)) void pushes(void);
void never_called(void);

void counts_to_ten(void)
{
    __asm__ volatile(".syntax unified\n"
                     "    movs r0, #10\n"
                     "1:  subs r0, #1\n"
                     "    bne 1b\n"
                     "    bx lr\n");
}

void pushes(void)
{
    __asm__ volatile(".syntax unified\n"
                     "    push {r4, r5, r6, lr}\n"
                     "    sub sp, #24\n"
                     "    add sp, #24\n"
                     "    pop {r4, r5, r6, pc}\n");
}

__attribute__((used)) void never_called(void)
{
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        counts_to_ten();
        pushes();
    }
    return 0;
}
