#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/wipe.h>

int file_read(uint8_t **bytes, size_t *length, const char *path, size_t largest_bytes, struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return say(problem, "%s cannot be read: %s", path, strerror(errno));
    }
    int result = 0;
    uint8_t *found = malloc(largest_bytes + 1);
    if (found == NULL) {
        result = say(problem, "there is no memory for %s", path);
    } else {
        *length = fread(found, 1, largest_bytes + 1, file);
        if (ferror(file)) {
            result = say(problem, "%s cannot be read: %s", path, strerror(errno));
        } else if (*length == 0) {
            result = say(problem, "%s is empty: there is nothing to send", path);
        } else if (*length > largest_bytes) {
            result =
                say(problem, "%s is longer than the %zu bytes that are allowed (--largest-bytes)", path, largest_bytes);
        }
    }
    (void)fclose(file);
    if (result != 0) {
        free(found);
        found = NULL;
    }
    *bytes = found;
    return result;
}

int file_store(const char *path, const uint8_t *bytes, size_t length, struct problem *problem)
{
    char partial[4096];
    const int written = snprintf(partial, sizeof partial, "%s.partial", path);
    if (written < 0 || (size_t)written >= sizeof partial) {
        return say(problem, "the path to store at is too long");
    }
    FILE *file = fopen(partial, "wb");
    if (file == NULL) {
        return say(problem, "%s cannot be written: %s", path, strerror(errno));
    }
    const int failed = fwrite(bytes, 1, length, file) != length;
    if (fclose(file) != 0 || failed || rename(partial, path) != 0) {
        const int error = errno;
        (void)remove(partial);
        return say(problem, "%s cannot be written: %s", path, strerror(error));
    }
    return 0;
}

static int digit(int character)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = character == 0 ? NULL : strchr(digits, character);
    return found == NULL ? -1 : (int)((found - digits) % 16);
}

int key_read(uint8_t key[LONGEST_KEY_BYTES], size_t key_bytes, const char *path, struct problem *problem)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return say(problem, "the key file %s cannot be read: %s", path, strerror(errno));
    }
    (void)setvbuf(file, NULL, _IONBF, 0); /* a buffer of its own would keep the key */
    char text[2 * LONGEST_KEY_BYTES +
              3]; /* the longest key, the end of its line, and one character that would be too many */
    size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    while (length > 0 && strchr(" \r\n\t", text[length - 1]) != NULL) {
        length--;
    }
    int result = 0;
    if (length != 2 * key_bytes) {
        result = say(problem, "the key file %s must hold %zu hexadecimal digits for this mode", path, 2 * key_bytes);
    }
    for (size_t i = 0; result == 0 && i < key_bytes; i++) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            result = say(problem, "the key file %s holds something that is no hexadecimal digit", path);
        } else {
            key[i] = (uint8_t)(high << 4 | low);
        }
    }
    tatu_wipe(text, sizeof text);
    if (result != 0) {
        tatu_wipe(key, key_bytes);
    }
    return result;
}
