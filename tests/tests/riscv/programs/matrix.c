/* Multiplies matrices of integers, in 64 and in 32 bits and modulo a prime. */
#include "runtime.h"

enum { SIZE = 12 };
typedef i64 matrix[SIZE][SIZE];

static void multiply(matrix a, matrix b, matrix product, i64 modulus) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            i64 sum = 0;
            for (int k = 0; k < SIZE; k++) {
                i64 term = a[i][k] * b[k][j];
                sum += modulus ? term % modulus : term;
            }
            product[i][j] = modulus ? sum % modulus : sum;
        }
}

int main(void) {
    static matrix a, b, c, power, square;
    static int narrow[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 7 - j * 5) * (j % 3 - 1);
            b[i][j] = (i ^ j) - 6;
            power[i][j] = i == j;
            square[i][j] = (i + 1) * 100003 % (j + 17);
        }
    multiply(a, b, c, 0);
    i64 trace = 0, all = 0;
    for (int i = 0; i < SIZE; i++) {
        trace += c[i][i];
        for (int j = 0; j < SIZE; j++) {
            all += c[i][j];
            for (int k = 0; k < SIZE; k++) narrow[i][j] += (int)a[i][k] * 1000003 * (int)b[k][j];
        }
    }
    put_number(trace), put("\n");
    put_number(all), put("\n");
    for (int i = 0; i < SIZE; i++) put_number(narrow[i][SIZE - 1 - i]), put("\n");
    for (u32 exponent = 1000001; exponent; exponent >>= 1) {
        if (exponent & 1) {
            multiply(power, square, c, 1000000007);
            for (int i = 0; i < SIZE; i++) for (int j = 0; j < SIZE; j++) power[i][j] = c[i][j];
        }
        multiply(square, square, c, 1000000007);
        for (int i = 0; i < SIZE; i++) for (int j = 0; j < SIZE; j++) square[i][j] = c[i][j];
    }
    for (int i = 0; i < SIZE; i++) put_number(power[i][i / 2]), put("\n");
    return 0;
}
