"""What a user puts into the adapter that `bancada new candidate` wrote: one line for each comment in it."""

from __future__ import annotations

QUATI_CALLS = {
    "typedef struct": "typedef Quati128 bancada_encrypt_context;",
    "memcpy(": "    context->setKey(key, BANCADA_KEY_BYTES);",
    "memmove(": "    context->encryptBlock(output, input);",
    "memmove( ": "    context->decryptBlock(output, input);",
}
ONCILLA_CALLS = {
    "#define": "#define BANCADA_ONE_KEY 1\n#define BANCADA_IN_PLACE 1",
    "typedef struct": "typedef Oncilla bancada_encrypt_context;",
    "memcpy(": "    context->begin(key);",
    "memmove(": "    context->encrypt(output);",
    "memmove( ": "    context->decrypt(output);",
}
TATU_CALLS = {
    "#include": "#include <Tatu.h>\n#include <tatu/speck.h>",
    "typedef struct": "typedef struct tatu_speck64_128 bancada_encrypt_context;",
    "memcpy(": "    tatu_speck64_128_set_key(context, key);",
    "memmove(": "    tatu_speck64_128_encrypt(context, output, input);",
    "memmove( ": "    tatu_speck64_128_decrypt(context, output, input);",
}


def filled_in(adapter: str, calls: dict[str, str]) -> str:
    """The adapter with the line that holds each key replaced, the first such line first."""
    lines = adapter.splitlines()
    for key, text in calls.items():
        place = next(index for index, line in enumerate(lines) if key.strip() in line and line not in calls.values())
        lines[place] = text
    return "\n".join(lines) + "\n"
