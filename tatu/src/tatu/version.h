/* Tatu: its version, for programs that must tell one from another.
 *
 *     #if TATU_VERSION < TATU_VERSION_NUMBER(1, 0, 0)
 *
 * Versions are those of Semantic Versioning 2.0.0: what a program uses stays until the next major version.
 *
 * MIT licence. */
#ifndef TATU_VERSION_H
#define TATU_VERSION_H

/* A version as one number that can be compared: major, minor and patch, each below 1,000. */
#define TATU_VERSION_NUMBER(major, minor, patch) ((major) * 1000000L + (minor) * 1000L + (patch))

/* The parts of the version, the version as one number, and as text. */
#define TATU_VERSION_MAJOR 1
#define TATU_VERSION_MINOR 0
#define TATU_VERSION_PATCH 0
#define TATU_VERSION TATU_VERSION_NUMBER(TATU_VERSION_MAJOR, TATU_VERSION_MINOR, TATU_VERSION_PATCH)
#define TATU_VERSION_TEXT "1.0.0"

#endif
