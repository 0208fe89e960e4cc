/* A stack machine whose programs are bytes. The first program computes primes, the second finds the start
   with the longest Collatz sequence, and the third calls itself. */
#include "runtime.h"

enum {
    STOP, PUSH, WIDE, LOAD, STORE, DUP, DROP, SWAP, ADD, SUB, MUL, DIV, REM, AND, SHR, LESS, EQUAL,
    JUMP, UNLESS, CALL, RETURN, PRINT, BYTE, SET_BYTE,
};

static u8 bytes[4000];
static i64 stack[256], cells[8];
static u64 steps;

static i64 run(const u8 *code) {
    i64 *top = stack;
    const u8 *calls[64], **call = calls, *at = code;
    for (;;) {
        i64 a;
        steps++;
        switch (*at++) {
        case STOP: return *top;
        case PUSH: *++top = (signed char)*at++; break;
        case WIDE: *++top = (short)(at[0] | at[1] << 8), at += 2; break;
        case LOAD: *++top = cells[*at++]; break;
        case STORE: cells[*at++] = *top--; break;
        case DUP: top[1] = *top, top++; break;
        case DROP: top--; break;
        case SWAP: a = *top, *top = top[-1], top[-1] = a; break;
        case ADD: a = *top--, *top += a; break;
        case SUB: a = *top--, *top -= a; break;
        case MUL: a = *top--, *top *= a; break;
        case DIV: a = *top--, *top /= a; break;
        case REM: a = *top--, *top %= a; break;
        case AND: a = *top--, *top &= a; break;
        case SHR: a = *top--, *top >>= a; break;
        case LESS: a = *top--, *top = *top < a; break;
        case EQUAL: a = *top--, *top = *top == a; break;
        case JUMP: at = code + *at; break;
        case UNLESS: at = *top-- ? at + 1 : code + *at; break;
        case CALL: *call++ = at + 1, at = code + *at; break;
        case RETURN: at = *--call; break;
        case PRINT: put_number(*top--), put(" "); break;
        case BYTE: *top = bytes[*top]; break;
        case SET_BYTE: bytes[top[0]] = (u8)top[-1], top -= 2; break;
        default: put("no such operation\n"); return -1;
        }
    }
}

#define LOW(n) ((n) & 255), ((n) >> 8)

/* The number in a comment is the position of the next byte of the program.

   Cells: 0 the number, 1 its multiples, 2 how many primes. */
static const u8 primes[] = {
    /*  0, the first number */ PUSH, 2, STORE, 0,
    /*  4, while it is less */ LOAD, 0, WIDE, LOW(2000), LESS, UNLESS, 64,
    /* 12, if not marked */ LOAD, 0, BYTE, PUSH, 0, EQUAL, UNLESS, 55,
    /* 20, count it */ LOAD, 2, PUSH, 1, ADD, STORE, 2, LOAD, 0, DUP, ADD, STORE, 1,
    /* 33, mark multiples */ LOAD, 1, WIDE, LOW(2000), LESS, UNLESS, 55,
    /* 41 */ PUSH, 1, LOAD, 1, SET_BYTE, LOAD, 1, LOAD, 0, ADD, STORE, 1, JUMP, 33,
    /* 55, the next number */ LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 4,
    /* 64 */ LOAD, 2, STOP,
};

/* Cells: 0 the start, 1 the number, 2 its steps, 3 the most steps, 4 their start. */
static const u8 collatz[] = {
    /*  0, the first start */ PUSH, 0, STORE, 3, PUSH, 1, STORE, 0,
    /*  8, while it is less */ LOAD, 0, WIDE, LOW(100), LESS, UNLESS, 90,
    /* 16 */ LOAD, 0, STORE, 1, PUSH, 0, STORE, 2,
    /* 24, while more than 1 */ PUSH, 1, LOAD, 1, LESS, UNLESS, 66,
    /* 31 */ LOAD, 2, PUSH, 1, ADD, STORE, 2, LOAD, 1, PUSH, 1, AND, UNLESS, 57,
    /* 45, if odd */ LOAD, 1, PUSH, 3, MUL, PUSH, 1, ADD, STORE, 1, JUMP, 24,
    /* 57, if even */ LOAD, 1, PUSH, 1, SHR, STORE, 1, JUMP, 24,
    /* 66, if the most */ LOAD, 3, LOAD, 2, LESS, UNLESS, 81, LOAD, 2, STORE, 3, LOAD, 0, STORE, 4,
    /* 81, the next start */ LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 8,
    /* 90 */ LOAD, 4, PRINT, LOAD, 3, STOP,
};

/* Computes a Fibonacci number as the sum of two recursive calls. */
static const u8 fibonacci[] = {
    /*  0 */ PUSH, 12, CALL, 5, STOP,
    /*  5, the function */ DUP, PUSH, 2, LESS, UNLESS, 12, RETURN,
    /* 12 */ DUP, PUSH, 1, SUB, CALL, 5, SWAP, PUSH, 2, SUB, CALL, 5, ADD, RETURN,
};

int main(void) {
    static const u8 *const programs[] = {primes, collatz, fibonacci};
    i64 results[3];
    for (int i = 0; i < 3; i++) {
        results[i] = run(programs[i]);
        put_number(results[i]), put(" in "), put_number(steps), put(" steps\n");
    }
    static const u8 wrong[] = {PUSH, 1, 200};
    return results[2] % 100 + (run(wrong) == -1);
}
