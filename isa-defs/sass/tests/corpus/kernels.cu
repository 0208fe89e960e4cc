// Kernels of the corpus of `isa-sass`. `corpus.py` compiles them for each chip. They contain the
// usual patterns of GPU programs, so that the compiler emits the instructions of the set.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdint.h>

typedef unsigned int u32;
typedef unsigned long long u64;

// ---- matrices -------------------------------------------------------------------------------------

template <typename T, int N>
__device__ void gemm_tile(const T *a, const T *b, T *c, int m, int n, int k) {
    __shared__ T sa[N][N + 1], sb[N][N + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * N + y, col = blockIdx.x * N + x;
    T sum = T(0);
    for (int i = 0; i < k; i += N) {
        sa[y][x] = row < m && i + x < k ? a[row * k + i + x] : T(0);
        sb[y][x] = col < n && i + y < k ? b[(i + y) * n + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < N; j++) sum += sa[y][j] * sb[j][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
extern "C" __global__ void gemm_f32(const float *a, const float *b, float *c, int m, int n, int k) {
    gemm_tile<float, 16>(a, b, c, m, n, k);
}
extern "C" __global__ void gemm_f64(const double *a, const double *b, double *c, int m, int n, int k) {
    gemm_tile<double, 8>(a, b, c, m, n, k);
}
extern "C" __global__ void gemm_i32(const int *a, const int *b, int *c, int m, int n, int k) {
    gemm_tile<int, 16>(a, b, c, m, n, k);
}
extern "C" __global__ void gemm_half2(const __half2 *a, const __half2 *b, __half2 *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 sum = __float2half2_rn(0.f);
    for (int j = 0; j < n; j++) sum = __hfma2(a[i * n + j], b[j * n + i], sum);
    c[i] = sum;
}
extern "C" __global__ void gemm_wmma(const __half *a, const __half *b, float *c, int k) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.f);
    for (int i = 0; i < k; i += 16) {
        load_matrix_sync(fa, a + i, k);
        load_matrix_sync(fb, b + i, k);
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c, fc, 16, mem_row_major);
}
extern "C" __global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
extern "C" __global__ void matvec(const float4 *a, const float4 *x, float *y, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        float4 p = a[blockIdx.x * n + i], q = x[i];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// ---- reductions -----------------------------------------------------------------------------------

template <typename T, typename F> __device__ T reduce(T v, F f) {
    for (int d = 16; d; d /= 2) v = f(v, __shfl_down_sync(~0u, v, d));
    return v;
}
extern "C" __global__ void reduce_sum(const float *in, float *out, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = reduce(sum, [](float a, float b) { return a + b; });
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = reduce(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.f, [](float a, float b) { return a + b; });
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}
extern "C" __global__ void reduce_max_i64(const long long *in, long long *out, int n) {
    long long best = in[0];
    for (int i = threadIdx.x; i < n; i += blockDim.x) best = max(best, in[i]);
    atomicMax(out, best);
}
extern "C" __global__ void reduce_min_f64(const double *in, double *out, int n) {
    double best = 1e300;
    for (int i = threadIdx.x; i < n; i += blockDim.x) best = fmin(best, in[i] * 2.5 + 1.0);
    out[threadIdx.x] = best;
}
extern "C" __global__ void reduce_redux(const u32 *in, u32 *out) {
#if __CUDA_ARCH__ >= 800
    u32 v = in[threadIdx.x];
    out[0] = __reduce_add_sync(~0u, v);
    out[1] = __reduce_max_sync(~0u, v);
    out[2] = __reduce_or_sync(~0u, v);
    out[3] = __reduce_min_sync(~0u, (int)v);
#endif
}
extern "C" __global__ void softmax(const float *in, float *out, int n) {
    __shared__ float shared[2];
    float m = -INFINITY, s = 0;
    for (int i = threadIdx.x; i < n; i += 32) m = fmaxf(m, in[blockIdx.x * n + i]);
    m = reduce(m, [](float a, float b) { return fmaxf(a, b); });
    if (threadIdx.x == 0) shared[0] = m;
    __syncthreads();
    m = shared[0];
    for (int i = threadIdx.x; i < n; i += 32) s += __expf(in[blockIdx.x * n + i] - m);
    s = reduce(s, [](float a, float b) { return a + b; });
    if (threadIdx.x == 0) shared[1] = s;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 32) out[blockIdx.x * n + i] = __expf(in[blockIdx.x * n + i] - m) / shared[1];
}
extern "C" __global__ void softmax_half(const __half2 *in, __half2 *out, int n) {
    __half2 m = in[0], s = __float2half2_rn(0.f);
    for (int i = 0; i < n; i++) m = __hmax2(m, in[threadIdx.x * n + i]);
    for (int i = 0; i < n; i++) s = __hadd2(s, h2exp(__hsub2(in[threadIdx.x * n + i], m)));
    for (int i = 0; i < n; i++) out[threadIdx.x * n + i] = __h2div(h2exp(__hsub2(in[threadIdx.x * n + i], m)), s);
}
extern "C" __global__ void layer_norm(const float *in, const float *g, const float *b, float *out, int n) {
    float s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += 32) { float v = in[blockIdx.x * n + i]; s += v; q += v * v; }
    for (int d = 16; d; d /= 2) { s += __shfl_xor_sync(~0u, s, d); q += __shfl_xor_sync(~0u, q, d); }
    float mean = s / n, scale = rsqrtf(q / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += 32) out[blockIdx.x * n + i] = (in[blockIdx.x * n + i] - mean) * scale * g[i] + b[i];
}
extern "C" __global__ void layer_norm_bf16(const __nv_bfloat162 *in, __nv_bfloat162 *out, int n) {
    float s = 0, q = 0;
    for (int i = 0; i < n; i++) { float2 v = __bfloat1622float2(in[threadIdx.x * n + i]); s += v.x + v.y; q += v.x * v.x + v.y * v.y; }
    float mean = s / n, scale = rsqrtf(q / n - mean * mean);
    for (int i = 0; i < n; i++) { float2 v = __bfloat1622float2(in[threadIdx.x * n + i]); out[threadIdx.x * n + i] = __floats2bfloat162_rn((v.x - mean) * scale, (v.y - mean) * scale); }
}
extern "C" __global__ void scan(const int *in, int *out, int n) {
    __shared__ int part[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0, lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d *= 2) { int o = __shfl_up_sync(~0u, v, d); if (lane >= d) v += o; }
    if (lane == 31) part[threadIdx.x >> 5] = v;
    __syncthreads();
    for (int w = 0; w < threadIdx.x >> 5; w++) v += part[w];
    if (i < n) out[i] = v;
}
extern "C" __global__ void argmax(const float *in, int *out, int n) {
    float best = in[0]; int at = 0;
    for (int i = threadIdx.x; i < n; i += 32) if (in[i] > best) { best = in[i]; at = i; }
    for (int d = 16; d; d /= 2) {
        float v = __shfl_down_sync(~0u, best, d); int j = __shfl_down_sync(~0u, at, d);
        if (v > best || (v == best && j < at)) { best = v; at = j; }
    }
    if (threadIdx.x == 0) *out = at;
}

// ---- images and convolutions ----------------------------------------------------------------------

__constant__ float weights[49];
extern "C" __global__ void conv_7x7(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= w - 3 || y >= h - 3) return;
    float sum = 0;
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++) sum += in[(y + i) * w + x + j] * weights[(i + 3) * 7 + j + 3];
    out[y * w + x] = sum;
}
extern "C" __global__ void conv_half(const __half *in, __half *out, const __half *k, int w) {
    int x = threadIdx.x, y = blockIdx.x;
    __half sum = __float2half(0.f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum = __hfma(in[(y + i) * w + x + j], k[i * 3 + j], sum);
    out[y * w + x] = __hmax(sum, __float2half(0.f));
}
extern "C" __global__ void grey(const uchar4 *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { uchar4 p = in[i]; out[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z) >> 8); }
}
extern "C" __global__ void sobel(const unsigned char *in, unsigned char *out, int w) {
    int i = (blockIdx.y + 1) * w + blockIdx.x * blockDim.x + threadIdx.x + 1;
    int gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - 1] - in[i + w - 1];
    int gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - w] - in[i - w + 1];
    out[i] = min(255, abs(gx) + abs(gy));
}
extern "C" __global__ void bilinear(const float *in, float *out, int w, int h, float s) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float fx = x * s, fy = y * s; int ix = (int)floorf(fx), iy = (int)floorf(fy);
    float a = fx - ix, b = fy - iy;
    ix = min(max(ix, 0), w - 2), iy = min(max(iy, 0), h - 2);
    const float *p = in + iy * w + ix;
    out[y * w + x] = (p[0] * (1 - a) + p[1] * a) * (1 - b) + (p[w] * (1 - a) + p[w + 1] * a) * b;
}
extern "C" __global__ void histogram(const unsigned char *in, u32 *out, int n) {
    __shared__ u32 bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
extern "C" __global__ void mandelbrot(int *out, int w, float s) {
    float cx = (blockIdx.x * blockDim.x + threadIdx.x) * s - 2, cy = blockIdx.y * s - 1, x = 0, y = 0; int i = 0;
    for (; i < 256 && x * x + y * y < 4; i++) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; }
    out[blockIdx.y * w + blockIdx.x * blockDim.x + threadIdx.x] = i;
}

// ---- sorting, searching, hashing ------------------------------------------------------------------

extern "C" __global__ void bitonic(u32 *v, int j, int k) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, o = i ^ j;
    if (o > i) {
        u32 a = v[i], b = v[o];
        if ((i & k) == 0 ? a > b : a < b) { v[i] = b; v[o] = a; }
    }
}
extern "C" __global__ void bitonic_shared(float *v) {
    __shared__ float s[512];
    s[threadIdx.x] = v[threadIdx.x];
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            __syncthreads();
            int o = threadIdx.x ^ j;
            if (o > threadIdx.x && (s[threadIdx.x] > s[o]) == ((threadIdx.x & k) == 0)) { float t = s[threadIdx.x]; s[threadIdx.x] = s[o]; s[o] = t; }
        }
    __syncthreads();
    v[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void radix_count(const u32 *in, u32 *out, int shift, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 d = i < n ? in[i] >> shift & 15 : 0;
    for (u32 k = 0; k < 16; k++) { u32 votes = __ballot_sync(~0u, d == k); if (threadIdx.x % 32 == k) atomicAdd(&out[k], __popc(votes)); }
}
extern "C" __global__ void binary_search(const int *v, const int *q, int *out, int n) {
    int lo = 0, hi = n, x = q[threadIdx.x];
    while (lo < hi) { int mid = (lo + hi) / 2; if (v[mid] < x) lo = mid + 1; else hi = mid; }
    out[threadIdx.x] = lo;
}
extern "C" __global__ void fnv(const unsigned char *in, u64 *out, int n) {
    u64 h = 14695981039346656037ull;
    for (int i = 0; i < n; i++) h = (h ^ in[blockIdx.x * n + i]) * 1099511628211ull;
    out[blockIdx.x] = h;
}
extern "C" __global__ void murmur(const u32 *in, u32 *out, int n) {
    u32 h = threadIdx.x;
    for (int i = 0; i < n; i++) { u32 k = in[i] * 0xcc9e2d51; k = k << 15 | k >> 17; h ^= k * 0x1b873593; h = h << 13 | h >> 19; h = h * 5 + 0xe6546b64; }
    h ^= h >> 16; h *= 0x85ebca6b; h ^= h >> 13; h *= 0xc2b2ae35; out[threadIdx.x] = h ^ h >> 16;
}
extern "C" __global__ void sha_rounds(const u32 *in, u32 *out) {
    u32 a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
    for (int i = 0; i < 16; i++) {
        u32 s1 = __funnelshift_r(e, e, 6) ^ __funnelshift_r(e, e, 11) ^ __funnelshift_r(e, e, 25);
        u32 t1 = h + s1 + ((e & f) ^ (~e & g)) + in[8 + i];
        u32 s0 = __funnelshift_r(a, a, 2) ^ __funnelshift_r(a, a, 13) ^ __funnelshift_r(a, a, 22);
        u32 t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = h;
}
extern "C" __global__ void crc(const unsigned char *in, u32 *out, int n) {
    u32 c = ~0u;
    for (int i = 0; i < n; i++) { c ^= in[i]; for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0); }
    *out = ~c;
}
extern "C" __global__ void hash_insert(u64 *table, const u64 *keys, int mask) {
    u64 key = keys[blockIdx.x * blockDim.x + threadIdx.x]; u32 slot = (u32)(key * 0x9e3779b97f4a7c15ull >> 40) & mask;
    for (;;) { u64 old = atomicCAS(&table[slot], 0ull, key); if (old == 0 || old == key) break; slot = (slot + 1) & mask; }
}
extern "C" __global__ void xorshift(u64 *state) {
    u64 x = state[threadIdx.x];
    x ^= x << 13; x ^= x >> 7; x ^= x << 17; state[threadIdx.x] = x;
}

// ---- atomics --------------------------------------------------------------------------------------

extern "C" __global__ void atomics_i32(int *p, u32 *q, int v) {
    atomicAdd(p, v); atomicMin(p + 1, v); atomicMax(p + 2, v); atomicAnd(p + 3, v); atomicOr(p + 4, v); atomicXor(p + 5, v);
    q[0] = atomicExch(q + 1, v); q[2] = atomicInc(q + 3, v); q[4] = atomicDec(q + 5, v); q[6] = atomicCAS(q + 7, 1u, 2u); q[8] = atomicAdd(q + 9, 3u);
}
extern "C" __global__ void atomics_float(float *p, double *d, __half2 *h, u64 *l) {
    atomicAdd(p, 1.5f); atomicAdd(d, 2.5); atomicAdd(h, __float2half2_rn(1.f)); atomicAdd(l, 5ull); atomicMin(l + 1, 6ull); p[2] = atomicExch(p + 1, 2.f);
}
extern "C" __global__ void atomics_shared(int *p) {
    __shared__ int s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[0], 1); atomicMax(&s[1], (int)threadIdx.x); atomicOr((u32 *)&s[2], 1u << (threadIdx.x & 31)); atomicCAS(&s[3], 0, (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x < 4) p[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void fences(volatile int *p, int *q) {
    p[0] = 1; __threadfence(); p[1] = 2; __threadfence_block(); p[2] = 3; __threadfence_system(); q[0] = p[3];
}
extern "C" __global__ void votes(int *out, int v) {
    out[0] = __all_sync(~0u, v > threadIdx.x); out[1] = __any_sync(~0u, v == threadIdx.x); out[2] = __ballot_sync(~0u, v & 1);
    out[3] = __activemask(); out[4] = __match_any_sync(~0u, v + threadIdx.x); out[5] = __syncthreads_count(v); out[6] = __syncthreads_or(v); 
    __syncwarp();
    out[7] = __shfl_sync(~0u, v, out[6] & 31);
}

// ---- integers -------------------------------------------------------------------------------------

extern "C" __global__ void bits(const u32 *in, u32 *out) {
    u32 v = in[threadIdx.x];
    out[0] = __popc(v); out[1] = __clz(v); out[2] = __brev(v); out[3] = __ffs(v); out[4] = __byte_perm(v, in[1], 0x3715);
    out[5] = __byte_perm(v, in[1], in[2]); out[6] = v >> (in[3] & 31); out[7] = (u32)((int)v >> 3); out[8] = __funnelshift_l(v, in[1], 5);
    out[9] = __popcll((u64)v << 7 | v); out[10] = __clzll((u64)v * v); out[11] = v & ~in[4] | in[5] ^ in[6]; out[12] = __sad((int)v, (int)in[1], in[2]);
}
extern "C" __global__ void divisions(const int *a, u32 *b, long long *c) {
    int v = a[threadIdx.x];
    b[0] = v / 7; b[1] = v % 10; b[2] = (u32)v / 1000; b[3] = v / a[1]; b[4] = b[5] % b[6]; c[0] = c[1] / c[2]; c[3] = c[4] * c[5];
}
extern "C" __global__ void wide(const int *a, u64 *o, u64 *p) {
    o[0] = (u64)((long long)a[0] * a[1]); o[1] = (u64)(u32)a[0] * (u32)a[1] + p[0]; o[2] = p[1] + p[2]; o[3] = p[3] - p[4]; o[4] = p[5] << a[2]; o[5] = p[6] >> a[3];
    o[6] = (u64)((long long)p[7] >> a[4]); o[7] = p[8] > p[9] ? p[10] : p[11]; o[8] = __umul64hi(p[1], p[2]); o[9] = __mulhi(a[5], a[6]); o[10] = __umulhi(a[5], a[6]);
}
extern "C" __global__ void simd_video(const u32 *a, u32 *o) {
    o[0] = __vadd4(a[0], a[1]); o[1] = __vabsdiffu4(a[2], a[3]); o[2] = __vmaxs2(a[4], a[5]); o[3] = __dp4a((int)a[6], (int)a[7], (int)a[8]);
    o[4] = __dp2a_lo((int)a[6], (int)a[7], (int)a[8]); o[5] = __vcmpgtu4(a[0], a[1]); o[6] = __dp4a(a[6], a[7], a[8]);
}
extern "C" __global__ void minmax_int(const int *a, int *o) {
    u32 *u = (u32 *)o; const u32 *b = (const u32 *)a;
    o[0] = min(a[0], a[1]); o[1] = max(a[2], 17); u[2] = min(b[3], b[4]); u[3] = max(b[5], b[6]); o[4] = abs(a[7]); o[5] = max(min(a[8], a[9]), a[10]); o[6] = -a[11]; o[7] = ~a[12];
}
extern "C" __global__ void chars(const signed char *a, short *s, unsigned short *u, int n) {
    s[0] = a[n]; s[1] = a[n + 1] + s[n]; u[0] = u[n] * 3; ((char *)s)[9] = a[n + 2]; ((char4 *)s)[4] = make_char4(a[1], a[2], a[3], a[4]);
}
extern "C" __global__ void switches(const int *a, int *o) {
    switch (a[threadIdx.x]) {
    case 0: o[0] = 5; break; case 1: o[1] = a[1] * 3; break; case 2: o[2] = a[2] - 1; break; case 3: o[3] = a[3] ^ 9; break;
    case 4: o[4] = a[4] / 3; break; case 5: o[5] = a[5] << 2; break; case 6: o[6] = ~a[6]; break; default: o[7] = a[7];
    }
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int *o) { o[threadIdx.x] = fibonacci(o[threadIdx.x]); }
extern "C" __global__ void local_memory(int *o, int n) {
    int v[32];
    for (int i = 0; i < 32; i++) v[i] = o[i];
    for (int i = 0; i < n; i++) v[v[i & 31] & 31] += i;
    for (int i = 0; i < 32; i++) o[i] = v[i];
}

// ---- floats ---------------------------------------------------------------------------------------

extern "C" __global__ void elementary(const float *a, float *o) {
    float v = a[threadIdx.x];
    o[0] = sqrtf(v); o[1] = 1 / v; o[2] = rsqrtf(v); o[3] = __sinf(v); o[4] = __cosf(v); o[5] = exp2f(v); o[6] = __log2f(v); o[7] = tanhf(v); o[8] = expf(v); o[9] = logf(v);
    o[10] = powf(v, a[1]); o[11] = erff(v); o[12] = fmodf(v, a[2]); o[13] = v / a[3]; o[14] = cbrtf(v);
}
extern "C" __global__ void trigonometry(const float *a, float *o) { o[0] = sinf(a[0]); o[1] = cosf(a[1]); o[2] = atan2f(a[2], a[3]); }
extern "C" __global__ void rounding(const float *a, float *o, int *i) {
    float v = a[threadIdx.x];
    o[0] = floorf(v); o[1] = ceilf(v); o[2] = truncf(v); o[3] = rintf(v); o[4] = roundf(v); i[0] = (int)v; i[1] = __float2int_rn(v); i[2] = __float2int_ru(v); i[3] = (int)(u32)v; o[5] = (float)i[4];
    o[6] = (float)(u32)i[5]; o[7] = __int2float_rz(i[6]); ((u64 *)i)[5] = (u64)v; ((long long *)i)[6] = (long long)v; o[8] = (float)((long long *)i)[7]; o[9] = (float)(signed char)i[7]; o[10] = (float)(unsigned short)i[8];
}
extern "C" __global__ void float_modes(const float *a, float *o) {
    o[0] = __fadd_rz(a[0], a[1]); o[1] = __fmul_ru(a[2], a[3]); o[2] = __fmaf_rd(a[4], a[5], a[6]); o[3] = __saturatef(a[7] + a[8]); o[4] = fabsf(a[9]) - a[10]; o[5] = -fabsf(a[11]) * a[12]; o[6] = copysignf(a[13], a[14]);
    o[7] = fminf(a[15], fabsf(a[16])); o[8] = a[17] > a[18] ? a[19] : -a[20]; o[9] = isnan(a[21]) ? 1.f : 2.f; o[10] = fmaf(a[22], 3.f, -1.5f); o[11] = a[23] * 0.1f + a[24];
}
extern "C" __global__ void doubles(const double *a, double *o, int *i, float *f) {
    double v = a[threadIdx.x];
    o[0] = v * a[1] + a[2]; o[1] = v + a[3]; o[2] = v * a[4]; o[3] = v / a[5]; o[4] = sqrt(v); o[5] = fmax(v, a[6]); o[6] = floor(v); i[0] = (int)v; o[7] = i[1]; f[0] = (float)v; o[8] = f[1]; o[9] = v > a[7] ? a[8] : a[9]; i[1] = v <= a[10]; o[10] = exp(v); o[11] = fabs(v) - a[11];
}
extern "C" __global__ void complex_fft(float2 *v, int n) {
    int i = threadIdx.x; float2 a = v[i], b = v[i + n]; float s, c; __sincosf(-3.14159265f * i / n, &s, &c);
    float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c); v[i] = make_float2(a.x + t.x, a.y + t.y); v[i + n] = make_float2(a.x - t.x, a.y - t.y);
}
extern "C" __global__ void nbody(const float4 *p, float4 *o, int n) {
    float4 me = p[blockIdx.x * blockDim.x + threadIdx.x]; float3 f = make_float3(0, 0, 0);
    __shared__ float4 tile[128];
    for (int t = 0; t < n; t += 128) {
        tile[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; i++) { float4 q = tile[i]; float x = q.x - me.x, y = q.y - me.y, z = q.z - me.z, r = x * x + y * y + z * z + 1e-9f, w = q.w * rsqrtf(r * r * r); f.x += x * w; f.y += y * w; f.z += z * w; }
        __syncthreads();
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(f.x, f.y, f.z, 0);
}
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }
extern "C" __global__ void stencil(const double *a, double *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x + 1; if (i < n - 1) o[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1]; }
extern "C" __global__ void gelu(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 0.5f * x[i] * (1 + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i]))); }
extern "C" __global__ void adam(float *w, const float *g, float *m, float *v, float lr, float c1, float c2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    m[i] = 0.9f * m[i] + 0.1f * g[i]; v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i]; w[i] -= lr * (m[i] / c1) / (sqrtf(v[i] / c2) + 1e-8f);
}
extern "C" __global__ void quantize(const float *in, signed char *out, float s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = (signed char)max(-128, min(127, __float2int_rn(in[i] / s))); }
extern "C" __global__ void game_of_life(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, sum = 0;
    for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) if (i || j) sum += in[(y + i + h) % h * w + (x + j + w) % w];
    out[y * w + x] = sum == 3 || (sum == 2 && in[y * w + x]);
}
extern "C" __global__ void clocks(long long *o) { long long a = clock64(); o[0] = clock(); o[1] = clock64() - a; u32 s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); o[2] = s; asm volatile("mov.u32 %0, %%laneid;" : "=r"(s)); o[3] = s; asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(s)); o[4] = s; }

// ---- half precision -------------------------------------------------------------------------------

extern "C" __global__ void half_math(const __half2 *a, __half2 *o, float *f) {
    __half2 v = a[threadIdx.x];
    o[0] = __hadd2(v, a[1]); o[1] = __hmul2(v, a[2]); o[2] = __hfma2_sat(v, a[3], a[4]); o[3] = __hneg2(v); o[4] = __habs2(v); o[5] = __hadd2_sat(v, a[5]); o[6] = __hmul2_sat(v, a[6]);
    o[7] = h2sqrt(v); o[8] = h2rcp(v); o[9] = h2sin(v); o[10] = h2log2(v); o[11] = __lows2half2(v, a[7]); o[12] = __highs2half2(v, a[8]); o[13] = __lowhigh2highlow(v); o[14] = h2floor(v); f[0] = __low2float(v); f[1] = __high2float(v);
    o[15] = __hgt2(v, a[9]); o[16] = __heq2(v, a[10]); f[2] = __hbgt2(v, a[11]) ? 1.f : 0.f; o[17] = __hmin2(v, a[12]); o[18] = __hadd2(v, __float2half2_rn(0.5f)); o[19] = __hltu2(v, a[13]);
}
extern "C" __global__ void bf16_math(const __nv_bfloat162 *a, __nv_bfloat162 *o, float *f) {
#if __CUDA_ARCH__ >= 800
    __nv_bfloat162 v = a[threadIdx.x];
    o[0] = __hadd2(v, a[1]); o[1] = __hmul2(v, a[2]); o[2] = __hfma2(v, a[3], a[4]); o[3] = __hneg2(v); o[4] = __habs2(v); o[5] = __hmax2(v, a[5]); o[6] = __hmin2(v, a[6]); f[0] = __low2float(v); o[7] = __hgt2(v, a[7]); f[1] = __hbne2(v, a[8]) ? 3.f : 4.f;
#endif
}
extern "C" __global__ void activations(const __half2 *a, __half2 *o, int n) {
#if __CUDA_ARCH__ >= 800
    for (int i = threadIdx.x; i < n; i += blockDim.x) { __half2 v = a[i]; o[i] = __hfma2_relu(v, __float2half2_rn(2.f), __float2half2_rn(-1.f)); o[i + n] = __hmax2(v, __float2half2_rn(0.f)); o[i + 2 * n] = h2tanh(v); }
#endif
}
extern "C" __global__ void convert_half(const float4 *in, uint2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float4 v = in[i]; __half2 a = __floats2half2_rn(v.x, v.y), b = __floats2half2_rn(v.z, v.w); out[i] = make_uint2(*(u32 *)&a, *(u32 *)&b);
}
