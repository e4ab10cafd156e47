/* Repeatable random numbers: SplitMix64 (Steele, Lea, Flood 2014). Any seed is good. MIT licence. */
#ifndef FLEET_RANDOM_H
#define FLEET_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
    uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* 0 to below - 1, below > 0. The bias of the remainder, at most below / 2^64, does not matter here. */
static inline uint32_t random_below(struct random *random, uint32_t below)
{
    return (uint32_t)(random_next(random) % below);
}

static inline bool random_chance(struct random *random, double probability)
{
    return (double)(random_next(random) >> 11) * 0x1p-53 < probability;
}

#endif
