"""Computes the SIMD video instructions lane by lane, as the PTX manual describes them."""


def extend(lane, bits, signed):
    """Returns a lane of this width as an integer."""
    if signed and lane >> (bits - 1) & 1:
        return lane - (1 << bits)
    return lane


def pool(a, b, lanes):
    """Returns all lanes that a selector can choose: the lanes of a, lowest first, then of b."""
    bits = 32 // lanes
    mask = (1 << bits) - 1
    return [word >> (bits * i) & mask for word in (a, b) for i in range(lanes)]


def select(a, b, lanes, selector, signed):
    digit_bits = 2 if lanes == 2 else 3
    choices = pool(a, b, lanes)
    picked = []
    for i in range(lanes):
        digit = selector >> (digit_bits * i) & ((1 << digit_bits) - 1)
        picked.append(extend(choices[digit], 32 // lanes, signed))
    return picked


def combine(op, x, y):
    """Returns the exact integer result of one lane."""
    if op == "vadd":
        return x + y
    if op == "vsub":
        return x - y
    if op == "vavrg":
        # Halves are rounded up if the sum is not negative, and down (toward -infinity) otherwise.
        return (x + y + 1) >> 1 if x + y >= 0 else (x + y) >> 1
    if op == "vabsdiff":
        return abs(x - y)
    if op == "vmin":
        return min(x, y)
    assert op == "vmax"
    return max(x, y)


def clamp(value, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def simd(mnemonic, a, b, c, v):
    """Returns the 32-bit result. `v` maps the names of the other fields to raw values."""
    lanes = int(mnemonic[-1])
    bits = 32 // lanes
    xs = select(a, b, lanes, v["asel"], v["atype"])
    ys = select(a, b, lanes, v["bsel"], v["btype"])
    results = [combine(mnemonic[:-1], x, y) for x, y in zip(xs, ys)]
    if v["sat"]:
        results = [clamp(t, bits, v["dtype"]) for t in results]
    chosen = [v["mask"] >> i & 1 for i in range(lanes)]
    if v["add"]:
        return (c + sum(t for t, on in zip(results, chosen) if on)) % (1 << 32)
    d = 0
    lane_mask = (1 << bits) - 1
    for i in range(lanes):
        kept = c >> (bits * i) & lane_mask
        d |= (results[i] & lane_mask if chosen[i] else kept) << (bits * i)
    return d
