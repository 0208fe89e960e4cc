#include "runtime.h"

/* `_start` calls main and exits with its result. */
#ifdef __aarch64__

__asm__(".globl _start\n"
        "_start:\n"
        "bl main\n"
        "mov x8, #93\n"
        "svc #0\n");

i64 write(i64 file, const void *bytes, u64 count) {
    register i64 x0 __asm__("x0") = file;
    register const void *x1 __asm__("x1") = bytes;
    register u64 x2 __asm__("x2") = count;
    register i64 x8 __asm__("x8") = 64;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
    return x0;
}

#else

__asm__(".globl _start\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "call main\n"
        "li a7, 93\n"
        "ecall\n");

i64 write(i64 file, const void *bytes, u64 count) {
    register i64 a0 __asm__("a0") = file;
    register const void *a1 __asm__("a1") = bytes;
    register u64 a2 __asm__("a2") = count;
    register i64 a7 __asm__("a7") = 64;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

#endif

void put(const char *text) {
    u64 length = 0;
    while (text[length]) length++;
    write(1, text, length);
}

void put_number(i64 number) {
    char digits[20];
    int start = sizeof digits;
    u64 rest = number < 0 ? -(u64)number : (u64)number;
    do digits[--start] = '0' + rest % 10; while (rest /= 10);
    if (number < 0) put("-");
    write(1, digits + start, sizeof digits - start);
}

void put_hex(u64 number, int digits) {
    for (int place = digits - 1; place >= 0; place--)
        write(1, &"0123456789abcdef"[number >> 4 * place & 15], 1);
}

/* The compiler may generate calls of these functions. */
void *memcpy(void *to, const void *from, u64 count) {
    for (u64 i = 0; i < count; i++) ((u8 *)to)[i] = ((const u8 *)from)[i];
    return to;
}

void *memset(void *to, int byte, u64 count) {
    for (u64 i = 0; i < count; i++) ((u8 *)to)[i] = byte;
    return to;
}
