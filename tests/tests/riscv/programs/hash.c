/* Computes SHA-256, including its constants, CRC-32 and FNV-1a. */
#include "runtime.h"

static u32 constants[64], start[8];

static u32 rotate(u32 x, int by) { return x >> by | x << (32 - by); }

/* Returns the first 32 bits of the fractional part of the square root or the cube root of `n`. */
static u32 fraction_of_root(u32 n, int degree) {
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 40;
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2;
        /* The middle is the root times 2^32. */
        unsigned __int128 power = degree == 3 ? middle * middle * middle : middle * middle;
        if (power <= (unsigned __int128)n << 32 * degree) low = middle; else high = middle;
    }
    return (u32)low;
}

static void prepare(void) {
    int found = 0;
    for (u32 n = 2; found < 64; n++) {
        int prime = 1;
        for (u32 d = 2; d * d <= n; d++) if (n % d == 0) prime = 0;
        if (!prime) continue;
        if (found < 8) start[found] = fraction_of_root(n, 2);
        constants[found++] = fraction_of_root(n, 3);
    }
}

static void block(u32 state[8], const u8 *bytes) {
    u32 w[64], s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = 0;
        for (int j = 0; j < 4; j++) w[i] = w[i] << 8 | bytes[4 * i + j];
    }
    for (int i = 16; i < 64; i++) {
        u32 a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3)
             + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        u32 e = s[4], a = s[0];
        u32 t = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6]))
              + constants[i] + w[i];
        u32 m = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22))
              + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--) s[j] = s[j - 1];
        s[4] += t;
        s[0] = t + m;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void sha256(const char *text, u64 length) {
    u8 last[128] = {0};
    u32 state[8];
    for (int i = 0; i < 8; i++) state[i] = start[i];
    u64 whole = length / 64 * 64, rest = length - whole, end = rest < 56 ? 64 : 128;
    for (u64 i = 0; i < whole; i += 64) block(state, (const u8 *)text + i);
    for (u64 i = 0; i < rest; i++) last[i] = text[whole + i];
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++) last[end - 1 - i] = length * 8 >> 8 * i;
    for (u64 i = 0; i < end; i += 64) block(state, last + i);
    for (int i = 0; i < 8; i++) put_hex(state[i], 8);
    put("\n");
}

int main(void) {
    static const char text[] =
        "A text of some length, so that it takes more than one block of sixty-four bytes; each "
        "start of it is hashed, whose lengths are the multiples of thirty-one.";
    prepare();
    for (u64 length = 0; length < sizeof text; length += 31) sha256(text, length);
    sha256("abc", 3);
    u32 crc = ~0u;
    u64 fnv = 0xcbf29ce484222325;
    for (u64 i = 0; i < sizeof text - 1; i++) {
        crc ^= (u8)text[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        fnv = (fnv ^ (u8)text[i]) * 0x100000001b3;
    }
    put_hex(~crc, 8);
    put("\n");
    put_hex(fnv, 16);
    put("\n");
    return 0;
}
