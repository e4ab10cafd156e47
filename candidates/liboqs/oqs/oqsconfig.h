/* What the library's CMake would write for a device without processor extensions, OpenSSL and threads. */
#ifndef OQS_CONFIG_H
#define OQS_CONFIG_H

#define OQS_VERSION_TEXT "0.13.0"
#define OQS_EMBEDDED_BUILD 1
#if defined(__linux__)
#define OQS_HAVE_ALIGNED_ALLOC 1
#define OQS_HAVE_POSIX_MEMALIGN 1
#else
#define OQS_HAVE_MEMALIGN 1
#endif

#define OQS_ENABLE_KEM_ML_KEM 1
#define OQS_ENABLE_KEM_ml_kem_512 1
#define OQS_ENABLE_KEM_ml_kem_768 1
#define OQS_ENABLE_SIG_ML_DSA 1
#define OQS_ENABLE_SIG_ml_dsa_44 1

#endif
