/* Functions of dav1d, an AV1 decoder, with the sizes that its own benchmark (checkasm) calls them with. Pixels of 8 and
 * of 16 bits are both void here. */
#include <stddef.h>
#include <stdint.h>

#define SUM(bits, ...)                                                                                                 \
    void dav1d_avg_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int __VA_ARGS__);        \
    void dav1d_w_avg_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int, int __VA_ARGS__); \
    void dav1d_mask_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int,                    \
                                     const uint8_t *__VA_ARGS__);                                                      \
    void dav1d_w_mask_420_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int, uint8_t *,   \
                                           int __VA_ARGS__);                                                           \
    void dav1d_w_mask_422_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int, uint8_t *,   \
                                           int __VA_ARGS__);                                                           \
    void dav1d_w_mask_444_##bits##bpc_neon(void *, ptrdiff_t, const int16_t *, const int16_t *, int, int, uint8_t *,   \
                                           int __VA_ARGS__);
SUM(8)
SUM(16, , int)

#define WITH_PIXELS(bits)                                                                                 \
    void dav1d_blend_##bits##bpc_neon(void *, ptrdiff_t, const void *, int, int, const uint8_t *);        \
    void dav1d_blend_h_##bits##bpc_neon(void *, ptrdiff_t, const void *, int, int);                       \
    void dav1d_blend_v_##bits##bpc_neon(void *, ptrdiff_t, const void *, int, int);                       \
    void dav1d_ipred_cfl_ac_420_##bits##bpc_neon(int16_t *, const void *, ptrdiff_t, int, int, int, int); \
    void dav1d_ipred_cfl_ac_422_##bits##bpc_neon(int16_t *, const void *, ptrdiff_t, int, int, int, int);
WITH_PIXELS(8)
WITH_PIXELS(16)

typedef void put(void *, ptrdiff_t, const void *, ptrdiff_t, int w, int h, int mx, int my, int most);
typedef void prepare(int16_t *, const void *, ptrdiff_t, int w, int h, int mx, int my, int most);
put dav1d_put_8tap_regular_16bpc_neon, dav1d_put_bilin_16bpc_neon;
prepare dav1d_prep_8tap_regular_16bpc_neon, dav1d_prep_bilin_16bpc_neon;

typedef void warp(void *, ptrdiff_t, const void *, ptrdiff_t, const int16_t *, int mx, int my);
typedef void warp_16(void *, ptrdiff_t, const void *, ptrdiff_t, const int16_t *, int mx, int my, int most);
warp dav1d_warp_affine_8x8_8bpc_neon, dav1d_warp_affine_8x8t_8bpc_neon;
warp_16 dav1d_warp_affine_8x8_16bpc_neon, dav1d_warp_affine_8x8t_16bpc_neon;

typedef void predict(void *, ptrdiff_t, const void *, int w, int h, int angle, int most_w, int most_h);
typedef void predict_16(void *, ptrdiff_t, const void *, int w, int h, int angle, int most_w, int most_h, int most);
predict dav1d_ipred_v_8bpc_neon, dav1d_ipred_h_8bpc_neon, dav1d_ipred_filter_8bpc_neon;
predict_16 dav1d_ipred_filter_16bpc_neon, dav1d_ipred_paeth_16bpc_neon, dav1d_ipred_smooth_16bpc_neon;

int dav1d_cdef_find_dir_8bpc_neon(const void *, ptrdiff_t, unsigned *);
int dav1d_cdef_find_dir_16bpc_neon(const void *, ptrdiff_t, unsigned *, int most);
typedef void padding(uint16_t *, const void *, ptrdiff_t, const void *left, const void *top, const void *bottom, int h,
                     unsigned edges);
typedef void filter(void *, ptrdiff_t, const uint16_t *, int first, int second, int direction, int damping, int h,
                    size_t edges, int most);
padding dav1d_cdef_padding4_16bpc_neon, dav1d_cdef_padding8_16bpc_neon;
filter dav1d_cdef_filter4_16bpc_neon, dav1d_cdef_filter8_16bpc_neon;

static const int16_t slopes[4] = {700, -900, 500, 1100};
static unsigned variance;

/* Where the driver's buffers are used: pixels inside a picture, what is written, two pictures of sums. */
#define PLACE ((void *)(output + 4096))
#define PICTURE (input + 1024)
#define PICTURE_16 (input + (135 * 3 + 3) * 2)
#define EDGES (input + 1024)
#define SUMS_1 ((const int16_t *)(input))
#define SUMS_2 ((const int16_t *)(second_input))
#define WEIGHTS (output + 65536)
#define SLOPES slopes
#define VARIANCE (&variance)

/* checkasm measures four calls in a row, and takes the mean over the heights. */
#define FOUR(call) \
    call;          \
    call;          \
    call;          \
    call
#define HEIGHTS(least, most, call)           \
    for (int h = least; h <= most; h *= 2) { \
        FOUR(call);                          \
    }
#define MC_HEIGHTS(call)                                        \
    static const uint8_t all[8] = {2, 4, 6, 8, 12, 16, 24, 32}; \
    for (int place = 0; place < 8; place++) {                   \
        const int h = all[place];                               \
        FOUR(call);                                             \
    }

/* What dav1d's wrapper does: pads a copy, then filters. Three cases, as checkasm has them. */
#define CDEF_EDGES(pad, apply, h, wide)                                       \
    static const uint8_t cases[3][3] = {{5, 4, 0}, {10, 0, 8}, {15, 4, 8}};   \
    for (int place = 0; place < 3; place++) {                                 \
        const uint8_t *one = cases[place];                                    \
        FOUR(filter_with_edges(pad, apply, h, wide, one[0], one[1], one[2])); \
    }
static inline __attribute__((always_inline)) void filter_with_edges_of(padding *pad, filter *apply, int h, int wide,
                                                                       unsigned edges, int first, int second,
                                                                       unsigned char *pixels)
{
    _Alignas(16) uint16_t copy[12 * 16 + 8];
    uint16_t *const inside = copy + 2 * wide + 8;
    pad(inside, pixels, 32, pixels + 4096, pixels + 8192, pixels + 12288, h, edges);
    apply(pixels, 32, inside, first, second, 7, 5, h, edges, 1023);
}
#define filter_with_edges(pad, apply, h, wide, edges, first, second)                \
    filter_with_edges_of(pad, apply, h, wide, edges, first, second, output + 16384)
