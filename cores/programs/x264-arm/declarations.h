/* Functions of x264, a video encoder, with the sizes that its own benchmark (checkasm) calls them with. */
#include <stddef.h>
#include <stdint.h>

void x264_8_integral_init4h_neon(uint16_t *sum, uint8_t *pixels, intptr_t stride);
void x264_8_integral_init8h_neon(uint16_t *sum, uint8_t *pixels, intptr_t stride);
void x264_8_integral_init4v_neon(uint16_t *sum8, uint16_t *sum4, intptr_t stride);
void x264_8_integral_init8v_neon(uint16_t *sum8, intptr_t stride);
void x264_8_predict_8x16c_dc_top_neon(uint8_t *pixels);
void x264_8_predict_8x16c_h_neon(uint8_t *pixels);
void x264_8_predict_8x16c_p_neon(uint8_t *pixels);
void x264_8_predict_8x8c_p_neon(uint8_t *pixels);
void x264_8_denoise_dct_neon(int16_t *dct, uint32_t *sum, uint16_t *offset, int size);
int x264_8_pixel_vsad_neon(uint8_t *pixels, intptr_t stride, int height);
int x264_8_pixel_asd8_neon(uint8_t *one, intptr_t stride, uint8_t *other, intptr_t other_stride, int height);
void x264_8_pixel_ssd_nv12_core_neon(uint8_t *one, intptr_t stride, uint8_t *other, intptr_t other_stride, int width,
                                     int height, uint64_t *of_u, uint64_t *of_v);
uint64_t x264_8_pixel_sa8d_satd_16x16_neon(uint8_t *one, intptr_t stride, uint8_t *other, intptr_t other_stride);
int x264_8_pixel_var2_8x8_neon(uint8_t *one, uint8_t *other, int sums[2]);
int x264_8_pixel_var2_8x16_neon(uint8_t *one, uint8_t *other, int sums[2]);
void x264_8_mbtree_fix8_pack_neon(uint16_t *to, float *from, int count);
void x264_8_mbtree_fix8_unpack_neon(float *to, uint16_t *from, int count);

/* Other functions of the same file read them. */
const uint8_t x264_decimate_table4[16] = {0}, x264_decimate_table8[64] = {0};

#define SUMS ((uint16_t *)output)
/* A place inside a picture whose lines are 32 bytes apart. */
#define PLACE (output + 4096 + 48)

static uint64_t of_u, of_v;
static int sums[2];

/* checkasm measures four calls at a time. */
#define FOUR(call)              \
    for (int i = 0; i < 4; i++) \
        call;
#define HEIGHTS(call)                  \
    for (int h = 2; h <= 32; h += 2) { \
        FOUR(call)                     \
    }
#define COUNTS(call)                              \
    for (int count = 256; count < 261; count++) { \
        FOUR(call)                                \
    }
