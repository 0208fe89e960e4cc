/* What a program has instead of a C library: two services of the environment, and printing. */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;

i64 write(i64 file, const void *bytes, u64 count);
void put(const char *text);
void put_number(i64 number);
void put_hex(u64 number, int digits);
