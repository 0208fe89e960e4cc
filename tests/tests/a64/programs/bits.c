/* Counts, rotates, extracts and combines bits; computes checksums by instructions and bit by bit;
   computes numbers of hundreds of digits; divides numbers of all signs. */
#include "runtime.h"

typedef unsigned __int128 u128;
typedef __int128 i128;
typedef unsigned short u16;

static const char digits[] = "123456789";

/* Computes a checksum bit by bit. */
static u32 slow(u32 sum, const char *text, u32 polynomial) {
    for (; *text; text++) {
        sum ^= (u8)*text;
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (polynomial & -(sum & 1));
    }
    return sum;
}

static void checksums(void) {
    u32 crc = ~0u, crcc = ~0u;
    for (const char *at = digits; *at; at++) {
        crc = __builtin_aarch64_crc32b(crc, (u8)*at);
        crcc = __builtin_aarch64_crc32cb(crcc, (u8)*at);
    }
    put_hex(~crc, 8), put(" "), put_hex(~crcc, 8), put("\n");
    put_hex(~slow(~0u, digits, 0xedb88320), 8), put(" "), put_hex(~slow(~0u, digits, 0x82f63b78), 8), put("\n");
    u64 eight = 0x3837363534333231;
    crc = __builtin_aarch64_crc32b(__builtin_aarch64_crc32x(~0u, eight), '9');
    crcc = __builtin_aarch64_crc32ch(__builtin_aarch64_crc32cw(~0u, (u32)eight), (u16)(eight >> 32));
    crcc = __builtin_aarch64_crc32cb(__builtin_aarch64_crc32ch(crcc, (u16)(eight >> 48)), '9');
    put_hex(~crc, 8), put(" "), put_hex(~crcc, 8), put("\n");
}

/* Combines the results of single operations on 100 numbers, in 64 and in 32 bits. */
static void operations(void) {
    u64 x = 0x0123456789abcdef, sum = 0;
    u32 low = 0;
    for (int i = 0; i < 100; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        u32 w = (u32)x;
        int turn = i & 63;
        sum += __builtin_clzll(x | 1) + __builtin_ctzll(x | 1 << 30) * 3 + __builtin_clrsbll((i64)x >> turn);
        sum ^= __builtin_bswap64(x) + __builtin_bswap32(w) + __builtin_bswap16((u16)x);
        sum += (x >> turn | x << (-turn & 63)) ^ (x & ~sum) ^ (x | ~sum);
        sum ^= (x >> 11 & 0x1ffff) << 20 | (u64)((i64)(x << 17) >> 44);
        sum = (sum & ~0xff00ull) | (x & 0xff) << 8;
        low += __builtin_clz(w | 1) + (w >> (turn & 31) | w << (-turn & 31));
        low ^= (w >> 5 & 0x7ff) << 9 ^ (u32)((int)w >> (turn & 31));
        sum += (i64)x < (i64)sum ? x : (x > sum && w != 7) ? ~x : -x;
        low = (low == w || (int)low > (int)w) && i > 3 ? low + 1 : low;
    }
    put_hex(sum, 16), put(" "), put_hex(low, 8), put("\n");
}

/* Computes the product of the numbers up to 100, in parts of 64 bits, and its digits. */
static void factorial(void) {
    enum { PARTS = 9 };
    u64 number[PARTS] = {1};
    for (u64 factor = 2; factor <= 100; factor++) {
        u64 carry = 0;
        for (int i = 0; i < PARTS; i++) {
            u128 product = (u128)number[i] * factor + carry;
            number[i] = (u64)product, carry = (u64)(product >> 64);
        }
    }
    char text[180];
    int start = sizeof text;
    text[--start] = 0;
    for (u64 left = 1; left;) {
        u64 rest = 0;
        left = 0;
        for (int i = 2 * PARTS - 1; i >= 0; i--) {
            u64 part = number[i / 2] >> (i % 2 * 32) & 0xffffffff, with = rest << 32 | part;
            u64 quotient = with / 10;
            rest = with % 10, left |= quotient;
            number[i / 2] = (number[i / 2] & ~(0xffffffffull << (i % 2 * 32))) | quotient << (i % 2 * 32);
        }
        text[--start] = '0' + rest;
    }
    put(text + start), put("\n");
}

static u128 power(u128 base, u32 exponent) {
    u128 result = 1;
    for (; exponent; exponent >>= 1, base *= base) if (exponent & 1) result *= base;
    return result;
}

static i64 divide(i64 a, i64 b) { return a / b * 1000 + a % b; }
static int divide_words(int a, int b) { return a / b * 1000 + a % b; }

int main(void) {
    checksums();
    operations();
    factorial();
    u128 wide = power(3, 79);
    i128 negative = -(i128)wide >> 3;
    put_hex(wide >> 64, 16), put_hex(wide, 16), put("\n");
    put_hex(negative >> 64, 16), put_hex(negative, 16), put("\n");
    static const int signs[] = {1, -1};
    for (int i = 0; i < 4; i++) {
        volatile i64 a = 123456789012345 * signs[i & 1], b = 977 * signs[i >> 1];
        put_number(divide(a, b)), put(" "), put_number(divide_words((int)a, (int)b)), put(" ");
        put_number((i64)(((i128)a * b * b * b) >> 64)), put(" "), put_number((a * (i128)b) < 0), put("\n");
    }
    return 3;
}
