/* The generator of random.h. */
#include "gallery/random.h"

static uint64_t rotate_left(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

sb_random sb_random_seeded(uint64_t seed)
{
    sb_random random;
    for (int i = 0; i < 4; ++i)
        random.state[i] = splitmix64(&seed);
    return random;
}

uint64_t sb_random_bits(sb_random *random)
{
    uint64_t *s = random->state;
    uint64_t bits = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return bits;
}

double sb_random_unit(sb_random *random)
{
    return (double)(sb_random_bits(random) >> 11) * 0x1p-53;
}

double sb_random_signed(sb_random *random)
{
    return 2 * sb_random_unit(random) - 1;
}

int64_t sb_random_between(sb_random *random, int64_t first, int64_t last)
{
    uint64_t count = (uint64_t)last - (uint64_t)first + 1;
    uint64_t bits = sb_random_bits(random);
    return first + (int64_t)(count ? bits % count : bits);
}
