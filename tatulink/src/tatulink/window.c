#include <tatulink/window.h>

void tatulink_window_start(struct tatulink_window *window, uint32_t next)
{
    window->next = next;
    window->seen = UINT32_C(0xffffffff);
}

enum tatulink_freshness tatulink_window_check(const struct tatulink_window *window, uint32_t counter)
{
    if (counter >= window->next) {
        return TATULINK_FRESH;
    }
    uint32_t age = window->next - 1 - counter;
    if (age >= TATULINK_WINDOW_COUNTERS) {
        return TATULINK_OUTSIDE;
    }
    return (window->seen >> age & 1) != 0 ? TATULINK_SEEN : TATULINK_FRESH;
}

void tatulink_window_accept(struct tatulink_window *window, uint32_t counter)
{
    if (counter >= window->next) {
        uint32_t steps = counter - window->next;
        window->seen = steps >= TATULINK_WINDOW_COUNTERS - 1 ? 0 : window->seen << (steps + 1);
        window->next = counter + 1;
    }
    window->seen |= UINT32_C(1) << (window->next - 1 - counter);
}
