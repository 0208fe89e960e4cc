/* Evaluates lines of arithmetic, and prints an error for an invalid line. */
#include "runtime.h"

static const char *at, *complaint;

static void skip(void) { while (*at == ' ') at++; }

static i64 sum(void);

static i64 fail(const char *why) {
    if (!complaint) complaint = why;
    return 0;
}

static i64 number(void) {
    u64 value = 0, base = 10;
    if (at[0] == '0' && at[1] == 'x') base = 16, at += 2;
    const char *first = at;
    for (;; at++) {
        u64 digit;
        if (*at >= '0' && *at <= '9') digit = *at - '0';
        else if (*at >= 'a' && *at <= 'f') digit = *at - 'a' + 10;
        else break;
        if (digit >= base) break;
        value = value * base + digit;
    }
    return at == first ? fail("a number is missing") : (i64)value;
}

static i64 atom(void) {
    skip();
    switch (*at) {
    case '-': at++; return -atom();
    case '~': at++; return ~atom();
    case '(': {
        at++;
        i64 value = sum();
        skip();
        if (*at != ')') return fail("a parenthesis is open");
        at++;
        return value;
    }
    default: return number();
    }
}

static i64 product(void) {
    i64 value = atom();
    for (skip(); *at == '*' || *at == '/' || *at == '%'; skip()) {
        char operation = *at++;
        i64 other = atom();
        if (operation == '*') value = (i64)((u64)value * (u64)other);
        else if (other == 0) return fail("a division by zero");
        else value = operation == '/' ? value / other : value % other;
    }
    return value;
}

static i64 sum(void) {
    i64 value = product();
    for (skip(); *at == '+' || *at == '-'; skip()) {
        char operation = *at++;
        i64 other = product();
        value = (i64)(operation == '+' ? (u64)value + (u64)other : (u64)value - (u64)other);
    }
    return value;
}

int main(void) {
    static const char *const lines[] = {
        "1 + 2 * 3", "(1 + 2) * 3", "-7 / 2", "-7 % 2", "0xff * 0x10 - ~0", "2 - 3 - 4",
        "1000000007 * 998244353 % 1234567", "((((5))))", "9223372036854775807 + 1", "1 / 0",
        "(1 + 2", "4 +", "12 34", "-(-(-5)) * -1", "100 / 7 / 3 * 3 * 7", "0x", "~0x0f0f % 1000",
    };
    int good = 0;
    for (u64 i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = lines[i], complaint = 0;
        i64 value = sum();
        skip();
        if (*at) fail("text behind the end");
        put(lines[i]), put(" = ");
        if (complaint) put(complaint);
        else put_number(value), good++;
        put("\n");
    }
    return good;
}
