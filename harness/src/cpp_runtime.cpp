// What C++ asks of a device that has no C++ library: the heap by C's, and an end for calls that cannot be. Linked from
// an archive, where an Arduino core has the same functions it comes first.
#include <stddef.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

WEAK void *operator new(size_t size)
{
    return malloc(size);
}

WEAK void *operator new[](size_t size)
{
    return malloc(size);
}

WEAK void operator delete(void *object) noexcept
{
    free(object);
}

WEAK void operator delete[](void *object) noexcept
{
    free(object);
}

WEAK void operator delete(void *object, size_t) noexcept
{
    free(object);
}

WEAK void operator delete[](void *object, size_t) noexcept
{
    free(object);
}

extern "C" {

WEAK void __cxa_pure_virtual(void)
{
    abort();
}

WEAK void __cxa_deleted_virtual(void)
{
    abort();
}

// Firmware never ends, so nothing is destroyed (Itanium C++ ABI, 3.3.6; Arm C++ ABI, 3.2.4.3).
WEAK void *__dso_handle;

WEAK int __cxa_atexit(void (*)(void *), void *, void *)
{
    return 0;
}

WEAK int __aeabi_atexit(void *, void (*)(void *), void *)
{
    return 0;
}
}
