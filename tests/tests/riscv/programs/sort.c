/* Sorts numbers in two ways that must agree. */
#include "runtime.h"

enum { COUNT = 500 };
static i64 quick[COUNT], heap[COUNT];

static void swap(i64 *a, i64 *b) { i64 t = *a; *a = *b; *b = t; }

static void quicksort(i64 *low, i64 *high) {
    if (low >= high) return;
    i64 pivot = low[(high - low) / 2], *a = low, *b = high;
    while (a <= b) {
        while (*a < pivot) a++;
        while (*b > pivot) b--;
        if (a <= b) swap(a++, b--);
    }
    quicksort(low, b);
    quicksort(a, high);
}

static void sift(i64 *items, int root, int count) {
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && items[child] < items[child + 1]) child++;
        if (items[root] >= items[child]) return;
        swap(&items[root], &items[child]);
    }
}

static void heapsort(i64 *items, int count) {
    for (int root = count / 2 - 1; root >= 0; root--) sift(items, root, count);
    for (int last = count - 1; last > 0; last--) {
        swap(&items[0], &items[last]);
        sift(items, 0, last);
    }
}

int main(void) {
    u64 random = 42;
    for (int i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        quick[i] = heap[i] = (i64)random >> (i % 50);
    }
    quicksort(quick, quick + COUNT - 1);
    heapsort(heap, COUNT);
    for (int i = 0; i < COUNT; i++) {
        if (quick[i] != heap[i] || (i && quick[i - 1] > quick[i])) return 1;
        if (i % 25 == 0) put_number(quick[i]), put("\n");
    }
    return 0;
}
