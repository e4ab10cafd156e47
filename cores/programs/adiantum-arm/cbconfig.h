/* What adiantum's configuration would tell its assembly files. */
#define KERNELISH 0
#define SYMBOLS_HAVE_UNDERSCORE_PREFIX 0
