/* Functions of many shapes for a microcontroller; driver_bare.c calls them. Nothing they leave behind changes their way the next time. */
#include <stddef.h>
#include <stdint.h>
#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>

static const uint8_t key[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const uint8_t message[150] = {3, 1, 4, 1, 5};
static uint8_t block[16];
static uint8_t digest[32];
static struct tatu_aes128 aes;
static struct tatu_speck128_256 speck;
static volatile uint32_t total;

void *memcpy(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);
void ciphers(void);
void shapes(void);

void *memcpy(void *target, const void *source, size_t count)
{
    uint8_t *to = target;
    const uint8_t *from = source;
    while (count-- > 0) {
        *to++ = *from++;
    }
    return target;
}

void *memset(void *target, int value, size_t count)
{
    uint8_t *to = target;
    while (count-- > 0) {
        *to++ = (uint8_t)value;
    }
    return target;
}

void ciphers(void)
{
    for (size_t i = 0; i < sizeof block; i++) {
        block[i] = (uint8_t)i;
    }
    tatu_aes128_set_key(&aes, key);
    tatu_aes128_encrypt(&aes, block, block);
    tatu_aes128_decrypt(&aes, block, block);
    tatu_speck128_256_set_key(&speck, key);
    tatu_speck128_256_encrypt(&speck, block, block);
    tatu_sha256(digest, message, sizeof message);
    tatu_sha3_256(digest, message, sizeof message);
}

static uint32_t chosen(uint32_t n)
{
    switch (n % 9) {
    case 0:
        return n * 3;
    case 1:
        return n ^ 0x55;
    case 2:
        return n << 3;
    case 3:
        return n / 7;
    case 4:
        return ~n;
    case 5:
        return n + 1000;
    case 6:
        return n >> 2;
    case 7:
        return n * n;
    default:
        return 0;
    }
}

/* A jump table, divisions, long multiplications, conditional instructions, recursion. */
static uint32_t deep(uint32_t n)
{
    return n == 0 ? 1 : deep(n - 1) + chosen(n);
}

void shapes(void)
{
    uint32_t sum = deep(90);
    for (uint32_t i = 1; i < 100; i++) {
        uint64_t product = (uint64_t)(sum | 0x80000001u) * (i * 0x01234567u);
        int32_t difference = (int32_t)(sum - i);
        sum += (uint32_t)(product >> 32) + (difference < 0 ? i : sum / i);
        sum = sum % 3 == 0 ? sum + chosen(i) : sum - 1;
    }
    total = sum;
}
