/* secp256k1: signatures of a model in Python with points of OpenSSL, an exchange of keys, and what must be refused. */
#include <tatu/secp256k1.h>

#define CURVE(name) tatu_secp256k1_##name

static const char *const secret_text = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
static const char *const public_text = "2c8c31fc9f990c6b55e3865a184a4ce50e09481f2eaeb3e60ec1cea13a6ae645"
                                       "64b95e4fdb6948c0386e189b006a29f686769b011704275e4459822dc3328085";

#include "kit_curve.h"

int main(void)
{
    check_signature("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
                    "432310e32cb80eb6503a26ce83cc165c783b870845fb8aad6d970889fcd7a6c8"
                    "530128b6b81c548874a6305d93ed071ca6e05074d85863d4056ce89b02bfab69");
    check_signature("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    "f2adcea7139057be6409855ee96d008e0e5b5f532333ec17448e26a36f47bcb2"
                    "570c9d342779b40f513c0d75cbf93e3f3de7b01f6593f17bfc2ee87151414d64");
    check_keys();
    check_refusals();
    return kit_result();
}
