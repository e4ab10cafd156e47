/* P-256: RFC 6979, section A.2.5, an exchange of keys, and what must be refused. */
#include <tatu/p256.h>

#define CURVE(name) tatu_p256_##name

static const char *const secret_text = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
static const char *const public_text = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                                       "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

#include "kit_curve.h"

int main(void)
{
    check_signature("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
                    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
    check_signature("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083");
    check_keys();
    check_refusals();
    return kit_result();
}
