/*
 * Decodes words with the header that `export c` writes. It uses no other information about the set.
 *
 *   cc -DHEADER='"tiny.h"' -DSET(x)=tiny_##x -DALL=TINY_OPCODES -DTINY_TABLES [-DWIDE] decode.c
 *
 * Reads one word per line in hexadecimal. For each word, prints the number of its opcode and the values
 * of the fields that the opcode does not fix, each as `name=value`, or -1 if the word is invalid. Ends with
 * status 1 and a message if the header contradicts itself: two opcodes contain a word, a mask does not match
 * a valid word, or encoding the fields of a word results in a different word.
 */
#include HEADER
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef SET(word) word;

#ifdef WIDE
static word parse(const char *line)
{
    char low[17], high[17] = "0";
    size_t length = strspn(line, "0123456789abcdef");
    size_t above = length > 16 ? length - 16 : 0;
    memcpy(high, line, above);
    high[above ? above : 1] = 0;
    memcpy(low, line + above, length - above);
    low[length - above] = 0;
    word w;
    w.lo = strtoull(low, NULL, 16);
    w.hi = strtoull(high, NULL, 16);
    return w;
}

static bool same(word a, word b) { return a.lo == b.lo && a.hi == b.hi; }

static word under(word a, word mask)
{
    a.lo &= mask.lo;
    a.hi &= mask.hi;
    return a;
}
#else
static word parse(const char *line) { return (word)strtoull(line, NULL, 16); }

static bool same(word a, word b) { return a == b; }

static word under(word a, word mask) { return (word)(a & mask); }
#endif

static int refuse(const char *what, const char *line)
{
    fprintf(stderr, "%s: %s", what, line);
    return 1;
}

int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        word w = parse(line);
        int number = SET(decode)(w), all = 0;
        for (int other = 0; other < ALL; other++)
            all += SET(opcodes)[other].is(w);
        if (all != (number >= 0))
            return refuse("not of one opcode", line);
        printf("%d", number);
        if (number >= 0) {
            const struct SET(opcode_row) *row = &SET(opcodes)[number];
            word built = row->match;
            if (!same(under(w, row->mask), row->match))
                return refuse("the mask does not match", line);
            for (unsigned i = 0; i < row->fields; i++) {
                uint64_t value = row->field[i].get(w);
                printf(" %s=%" PRIx64, row->field[i].name, value);
                built = row->field[i].set(built, value);
            }
            if (!same(built, w))
                return refuse("put together it is another word", line);
        }
        printf("\n");
    }
    return 0;
}
