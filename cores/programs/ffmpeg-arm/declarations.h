/* Functions of FFmpeg's VP9 decoder, and pixels around an edge such that its filters go through all that they can
 * do. */
#include <stddef.h>
#include <stdint.h>

typedef void vp9_loop_filter(uint8_t *pixels, ptrdiff_t stride, int e, int i, int h);
typedef void vp9_transform(uint8_t *pixels, ptrdiff_t stride, void *coefficients, int last);

vp9_loop_filter ff_vp9_loop_filter_v_4_8_neon, ff_vp9_loop_filter_v_8_8_neon, ff_vp9_loop_filter_v_16_8_neon,
    ff_vp9_loop_filter_v_16_16_neon;
vp9_loop_filter ff_vp9_loop_filter_v_8_8_10_neon, ff_vp9_loop_filter_v_16_8_10_neon, ff_vp9_loop_filter_h_8_8_10_neon,
    ff_vp9_loop_filter_h_16_8_10_neon;
vp9_transform ff_vp9_idct_idct_8x8_add_10_neon, ff_vp9_idct_idct_16x16_add_10_neon,
    ff_vp9_iadst_iadst_16x16_add_10_neon;

/* Sixteen calls, so that what a call leaves behind in the pipeline is paid for by the next one, as where it was
 * measured. */
#define REPEAT(call)                           \
    for (int calls = 0; calls < 16; calls++) { \
        call;                                  \
    }

/* Where the edge is: in the middle of a buffer, so that there are eight pixels on both sides of it. */
#define EDGE (output + 1024)

/*
 * Eight lines across an edge, as FFmpeg measures its filters with: two flat over eight pixels on both sides, two
 * over four, two that only the shortest filter smooths, and two that none touches. `across` and `along` are
 * distances in pixels. /
 */
static inline void set_edge(unsigned char *edge, ptrdiff_t across, ptrdiff_t along, size_t pixel_bytes)
{
    for (ptrdiff_t line = 0; line < 8; line++) {
        for (ptrdiff_t place = -8; place < 8; place++) {
            const ptrdiff_t distance = place < 0 ? -place : place + 1;
            const unsigned char rough = (unsigned char)(line * 37 + distance * 91 + (place < 0 ? 60 : 0));
            unsigned char value = (unsigned char)(100 + (place < 0 ? 3 : 0));
            if (line >= 6 || (line >= 2 && distance > 4)) {
                value = rough;
            } else if (line >= 4) {
                value = (unsigned char)(value + 4 * (distance & 1));
            }
            for (size_t byte = 0; byte < pixel_bytes; byte++) {
                edge[(place * across + line * along) * (ptrdiff_t)pixel_bytes + (ptrdiff_t)byte] =
                    byte == 0 ? value : 0;
            }
        }
    }
}
