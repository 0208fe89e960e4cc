/* Stores records with fields of all sizes in a tree, sorts them by functions from a table, and prints them
   by a function with a variable number of arguments; updates counters that several threads could change. */
#include <stdarg.h>
#include "runtime.h"

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef unsigned short u16;

enum { COUNT = 40 };

typedef struct record {
    struct record *left, *right;
    const char *name;
    i64 wide;
    i32 word;
    i16 half;
    i8 byte;
    u8 kind : 3, level : 5;
    u32 flags : 20, rest : 12;
    i32 small : 5, signed_rest : 27;
} record;

static record pool[COUNT];

/* %d: an i64; %u: an i32; %s: a text; %x: a u64 of 16 digits. Other characters are printed unchanged. */
static void print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (; *format; format++) {
        if (*format != '%') {
            write(1, format, 1);
            continue;
        }
        switch (*++format) {
        case 'd': put_number(va_arg(arguments, i64)); break;
        case 'u': put_number(va_arg(arguments, i32)); break;
        case 's': put(va_arg(arguments, const char *)); break;
        case 'x': put_hex(va_arg(arguments, u64), 16); break;
        default: put("?");
        }
    }
    va_end(arguments);
}

static int texts(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (u8)*a - (u8)*b;
}

static int by_name(const record *a, const record *b) { return texts(a->name, b->name); }
static int by_wide(const record *a, const record *b) { return (a->wide > b->wide) - (a->wide < b->wide); }
static int by_half(const record *a, const record *b) { return a->half - b->half; }
static int by_byte(const record *a, const record *b) { return a->byte - b->byte; }
static int by_bits(const record *a, const record *b) { return a->small - b->small; }

static const struct {
    const char *name;
    int (*compare)(const record *, const record *);
} orders[] = {
    {"name", by_name}, {"wide", by_wide}, {"half", by_half}, {"byte", by_byte}, {"bits", by_bits},
};

static record *insert(record *root, record *new, int (*compare)(const record *, const record *)) {
    if (!root) {
        new->left = new->right = 0;
        return new;
    }
    if (compare(new, root) < 0) root->left = insert(root->left, new, compare);
    else root->right = insert(root->right, new, compare);
    return root;
}

static int depth(const record *root) {
    if (!root) return 0;
    int left = depth(root->left), right = depth(root->right);
    return 1 + (left > right ? left : right);
}

static u64 walk(const record *root, u64 sum) {
    if (!root) return sum;
    sum = walk(root->left, sum);
    sum = sum * 1000003 + root->flags + root->kind * 7 + root->level * 11;
    sum ^= (u64)root->wide + root->word + root->half + root->byte + root->small + root->signed_rest;
    return walk(root->right, sum);
}

/* Passes and returns a record by value. */
static record turned(record old) {
    record new = old;
    new.wide = -old.wide, new.word = ~old.word, new.half = -old.half, new.byte = -old.byte;
    new.small = -old.small, new.flags = ~old.flags, new.kind = old.kind + 1, new.level--;
    return new;
}

static u64 counter = 5;
static u32 lock, half_counter;
static u8 flag;

static void count(u64 by) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
    __atomic_fetch_add(&counter, by, __ATOMIC_SEQ_CST);
    __atomic_fetch_xor(&half_counter, (u32)by, __ATOMIC_RELAXED);
    u8 expected = 0;
    if (!__atomic_compare_exchange_n(&flag, &expected, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) flag = 0;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

int main(void) {
    static const char *const names[] = {"ash", "birch", "cedar", "elm", "fir", "larch", "oak", "pine", "yew"};
    u64 random = 7;
    for (int i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        record *r = &pool[i];
        r->name = names[(random >> 60) % 9];
        r->wide = (i64)random >> (i & 31), r->word = (i32)(random >> 13), r->half = (i16)(random >> 29);
        r->byte = (i8)(random >> 41), r->kind = random >> 17, r->level = random >> 23;
        r->flags = random >> 31, r->rest = i, r->small = (i32)(random >> 50), r->signed_rest = -i;
        count(random >> 40);
    }
    for (u64 k = 0; k < sizeof orders / sizeof *orders; k++) {
        record *root = 0;
        for (int i = 0; i < COUNT; i++) {
            if (i % 3 == 0) pool[i] = turned(pool[i]);
            root = insert(root, &pool[i], orders[k].compare);
        }
        const record *first = root, *last = root;
        while (first->left) first = first->left;
        while (last->right) last = last->right;
        print("%s: %u deep, %s %d to %s %d, %u, %u, %u, %x\n", orders[k].name, depth(root), first->name,
              first->wide, last->name, last->wide, last->half, first->byte, first->small, walk(root, k));
    }
    print("%d %d %u\n", counter, (i64)half_counter, flag);
    return texts("records", "record") & 0x7f;
}
