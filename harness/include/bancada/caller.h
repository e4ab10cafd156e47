/* What a caller keeps, in the images whose size is a metric. The source that includes this defines IS_BASELINE. */
#ifndef BANCADA_CALLER_H
#define BANCADA_CALLER_H

/* CALLERS(type, name): the caller's object. The baseline has the room of a C++ object but constructs nothing in it,
 * because its constructor, and the virtual functions that this brings with it, are the library's and count. */
#if defined(__cplusplus)
#if __cplusplus < 201103L
#error "an adapter in C++ is compiled as C++11 or later: the target's TOML says so in cpp_flags"
#endif
#define CALLERS(type, name) Callers<(IS_BASELINE), type>::object name
template <bool is_baseline, typename Kept> struct Callers {
    typedef Kept object;
};
template <typename Kept> struct Callers<true, Kept> {
    struct object {
        alignas(Kept) unsigned char room[sizeof(Kept)];
    };
};
#else
#define CALLERS(type, name) type name
#endif

#endif
