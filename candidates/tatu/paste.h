/* Joins TATU_NAME, which candidate.toml sets, with what follows: TATU(_encrypt) is tatu_aes128_encrypt. */
#ifndef BANCADA_TATU_PASTE_H
#define BANCADA_TATU_PASTE_H

#define TATU_PASTE_EXPANDED(name, suffix) name##suffix
#define TATU_PASTE(name, suffix) TATU_PASTE_EXPANDED(name, suffix)
#define TATU(suffix) TATU_PASTE(TATU_NAME, suffix)

#endif
