/* Compresses a text with back-references and a Huffman code, and decompresses it. */
#include "runtime.h"

enum { LIMIT = 4096 };
static u8 text[LIMIT], packed[2 * LIMIT], unpacked[LIMIT];

/* A byte below 128 is the length of a run of literal bytes. Other bytes contain the length of a
   back-reference and precede its distance of two bytes. */
static u64 pack(const u8 *in, u64 count, u8 *out) {
    u64 size = 0, literal = 0;
    for (u64 i = 0; i <= count;) {
        u64 best = 0, distance = 0;
        for (u64 d = 1; i < count && d <= i && d < LIMIT; d++) {
            u64 length = 0;
            while (i + length < count && length < 127 && in[i + length] == in[i + length - d])
                length++;
            if (length > best) best = length, distance = d;
        }
        if (best < 4 && i < count && literal < 127) {
            literal++, i++;
            continue;
        }
        if (literal) {
            out[size++] = literal;
            for (u64 k = 0; k < literal; k++) out[size++] = in[i - literal + k];
            literal = 0;
        }
        if (i == count) break;
        if (best < 4) continue;
        out[size++] = 128 | best, out[size++] = distance >> 8, out[size++] = distance;
        i += best;
    }
    return size;
}

static u64 unpack(const u8 *in, u64 size, u8 *out) {
    u64 count = 0;
    for (u64 i = 0; i < size;) {
        u8 head = in[i++];
        if (head < 128) while (head--) out[count++] = in[i++];
        else {
            u64 distance = (u64)in[i] << 8 | in[i + 1];
            i += 2;
            for (head &= 127; head--; count++) out[count] = out[count - distance];
        }
    }
    return count;
}

/* Returns the number of bits of the bytes in a Huffman code. */
static u64 huffman(const u8 *in, u64 count) {
    u64 weight[256] = {0}, total = 0;
    int kinds = 0;
    for (u64 i = 0; i < count; i++) weight[in[i]]++;
    for (int i = 0; i < 256; i++) kinds += weight[i] != 0;
    for (; kinds > 1; kinds--) {
        int a = -1, b = -1;
        for (int i = 0; i < 256; i++) {
            if (!weight[i]) continue;
            if (a < 0 || weight[i] < weight[a]) b = a, a = i;
            else if (b < 0 || weight[i] < weight[b]) b = i;
        }
        weight[a] += weight[b], weight[b] = 0;
        total += weight[a];
    }
    return total;
}

int main(void) {
    static const char *const words[] = {
        "the ", "quick ", "brown ", "fox ", "jumps ", "over ", "lazy ", "dog. ",
    };
    u64 count = 0;
    u32 random = 1;
    while (count < 3000) {
        random = random * 1103515245 + 12345;
        for (const char *word = words[random >> 16 & 7]; *word; word++) text[count++] = *word;
        if ((random >> 20 & 63) == 0) text[count++] = random >> 24;
    }
    u64 size = pack(text, count, packed);
    put_number(count), put(" bytes, packed "), put_number(size), put("\n");
    put_number(huffman(text, count)), put(" bits, packed ");
    put_number(huffman(packed, size)), put("\n");
    if (unpack(packed, size, unpacked) != count) return 1;
    u64 sum = 0;
    for (u64 i = 0; i < count; i++) {
        if (text[i] != unpacked[i]) return 2;
        sum = sum * 31 + unpacked[i];
    }
    put_hex(sum, 16), put("\n");
    return 0;
}
