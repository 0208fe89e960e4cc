"""PTX kernels of all other instructions: atomics, conversions, matrices, fences and more.

`kernels(chip)` returns a list of PTX modules, as in `half.py`. A template such as `add.u32 {r}, {r1}, {r2};` contains the
result and the sources. Each template with sources is used several times: with loaded values, with parameters of
the kernel, and with numbers, because the compiler has other instructions for them.
"""

import re

HEAD = """.version 9.0
.target sm_{target}
.address_size 64
.visible .entry {name}(.param .u64 p, .param .b32 x, .param .b32 y, .param .b64 z, .param .b64 w) {{
  .reg .b64 %p<4>; .reg .b32 %r<60>; .reg .b16 %h<60>; .reg .f32 %f<60>; .reg .pred %q<9>; .reg .b64 %l<60>; .reg .f64 %d<60>; .reg .b128 %o<9>;
  .shared .align 16 .b8 s[4096]; .local .align 16 .b8 t[256];
  ld.param.u64 %p1, [p]; ld.param.b32 %r7, [x]; ld.param.b32 %r8, [y]; ld.param.b64 %l7, [z]; ld.param.b64 %l8, [w];
  mov.b32 %f7, %r7; mov.b32 %f8, %r8; mov.b64 %d7, %l7; mov.b64 %d8, %l8; cvt.u16.u32 %h7, %r7; cvt.u16.u32 %h8, %r8;
  mov.u32 %r20, %tid.x; mad.wide.u32 %p2, %r20, 16, %p1; shl.b32 %r21, %r20, 4; mov.u32 %r22, s; add.u32 %r22, %r22, %r21; cvt.u64.u32 %p3, %r22;
"""
WIDTHS = {"r": "b32", "h": "b16", "f": "f32", "d": "f64", "l": "b64"}
NUMBERS = {"r": "0x1234567", "f": "0f40490fdb", "d": "0d400921fb00000000", "h": "0x4200", "l": "0x123456789abcdef"}


def scalars(chip):
    """Yields templates of instructions with registers."""
    for t in "u16 s16 u32 s32 u64 s64".split():
        k = {"16": "h", "32": "r", "64": "l"}[t[1:]]
        for op in "add sub min max div rem".split():
            yield f"{op}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
        for op in "mul.lo mul.hi".split():
            yield f"{op}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
        yield f"mad.lo.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}};"
        for compare in "eq lt le gt ge ne".split():
            yield f"setp.{compare}.{t} {{q}}, {{{k}1}}, {{{k}2}};"
            yield f"setp.{compare}.and.{t} {{q}}, {{{k}1}}, {{{k}2}}, %q3;"
            yield f"set.{compare}.u32.{t} {{r}}, {{{k}1}}, {{{k}2}};"
        yield f"sad.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}};"
        yield f"shr.{t} {{{k}}}, {{{k}1}}, {{r2}};"
        if t[1:] != "64":
            w = {"16": "r", "32": "l"}[t[1:]]
            yield f"mul.wide.{t} {{{w}}}, {{{k}1}}, {{{k}2}};"
            yield f"mad.wide.{t} {{{w}}}, {{{k}1}}, {{{k}2}}, {{{w}3}};"
        if t in ("u32", "s32", "u64", "s64"):
            yield f"bfe.{t} {{{k}}}, {{{k}1}}, {{r2}}, {{r3}};"
            yield f"bfind.{t} {{r}}, {{{k}1}};"
            yield f"bfind.shiftamt.{t} {{r}}, {{{k}1}};"
            yield f"slct.{t}.s32 {{{k}}}, {{{k}1}}, {{{k}2}}, {{r3}};"
            yield f"slct.{t}.f32 {{{k}}}, {{{k}1}}, {{{k}2}}, {{f3}};"
            yield f"add.cc.{t} {{{k}}}, {{{k}1}}, {{{k}2}}; addc.{t} {{{k}}}, {{{k}}}, {{{k}3}};"
            yield f"sub.cc.{t} {{{k}}}, {{{k}1}}, {{{k}2}}; subc.{t} {{{k}}}, {{{k}}}, {{{k}3}};"
            yield f"mad.lo.cc.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}}; madc.hi.{t} {{{k}}}, {{{k}}}, {{{k}1}}, {{{k}2}};"
            if t[0] == "s":
                yield f"abs.{t} {{{k}}}, {{{k}1}}; "
                yield f"neg.{t} {{{k}}}, {{{k}1}}; "
    for t, k in ("b16", "h"), ("b32", "r"), ("b64", "l"), ("pred", "q"):
        for op in "and or xor".split():
            if k != "q":
                yield f"{op}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
        if k in "rl":
            yield f"shl.{t} {{{k}}}, {{{k}1}}, {{r2}};"
            yield f"popc.{t} {{r}}, {{{k}1}};"
            yield f"clz.{t} {{r}}, {{{k}1}};"
            yield f"brev.{t} {{{k}}}, {{{k}1}};"
            yield f"bfi.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{r3}}, {{r4}};"
        if k != "q":
            yield f"not.{t} {{{k}}}, {{{k}1}};"
            yield f"cnot.{t} {{{k}}}, {{{k}1}};"
            yield f"selp.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, %q3;"
    for table in "0x1f 0x96 0xe8 0x2a".split():
        yield f"lop3.b32 {{r}}, {{r1}}, {{r2}}, {{r3}}, {table};"
        yield f"lop3.or.b32 {{r}}|%q1, {{r1}}, {{r2}}, {{r3}}, {table}, %q3; @%q1 st.volatile.global.b32 [%p1], %r7;"
        yield f"lop3.and.b32 {{r}}|%q1, {{r1}}, {{r2}}, {{r3}}, {table}, %q3; @%q1 st.volatile.global.b32 [%p1], %r7;"
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"]:
        yield f"prmt.b32{mode} {{r}}, {{r1}}, {{r2}}, {{r3}};"
    for d in "lr":
        for m in "wrap", "clamp":
            yield f"shf.{d}.{m}.b32 {{r}}, {{r1}}, {{r2}}, {{r3}};"
    for a in "us":
        for b in "us":
            yield f"dp4a.{a}32.{b}32 {{r}}, {{r1}}, {{r2}}, {{r3}};"
            for part in "lo", "hi":
                yield f"dp2a.{part}.{a}32.{b}32 {{r}}, {{r1}}, {{r2}}, {{r3}};"
    for op in "mul24 mad24".split():
        for part in "lo", "hi":
            for t in "u32", "s32":
                yield f"{op}.{part}.{t} {{r}}, {{r1}}, {{r2}}" + (", {r3};" if op == "mad24" else ";")
    for m in "clamp", "wrap":
        yield f"bmsk.{m}.b32 {{r}}, {{r1}}, {{r2}};"
        for t in "u32", "s32":
            yield f"szext.{m}.{t} {{r}}, {{r1}}, {{r2}};"
    yield "fns.b32 {r}, {r1}, {r2}, {r3};"
    for t in "u32", "s32":
        for op in "vadd vsub vabsdiff vmin vmax".split():
            yield f"{op}.{t}.{t}.{t} {{r}}, {{r1}}, {{r2}};"
            yield f"{op}4.{t}.{t}.{t} {{r}}, {{r1}}, {{r2}}, {{r3}};"
            yield f"{op}4.{t}.{t}.{t}.add {{r}}, {{r1}}, {{r2}}, {{r3}};"
            yield f"{op}2.{t}.{t}.{t} {{r}}, {{r1}}, {{r2}}, {{r3}};"
        yield f"vshl.{t}.{t}.u32.clamp {{r}}, {{r1}}, {{r2}};"
        yield f"vset.{t}.{t}.lt {{r}}, {{r1}}, {{r2}};"
        yield f"vmad.{t}.{t}.{t} {{r}}, {{r1}}, {{r2}}, {{r3}};"
    # Floats.
    for t, k in ("f32", "f"), ("f64", "d"):
        flush = ["", ".ftz"] if k == "f" else [""]
        for r in "rn rz rm rp".split():
            for z in flush:
                for op in "add sub mul".split():
                    yield f"{op}.{r}{z}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                    if k == "f":
                        yield f"{op}.{r}{z}.sat.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                yield f"fma.{r}{z}.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}};"
                yield f"div.{r}{z}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                yield f"sqrt.{r}{z}.{t} {{{k}}}, {{{k}1}};"
                yield f"rcp.{r}{z}.{t} {{{k}}}, {{{k}1}};"
        for z in flush:
            for op in "min max".split():
                yield f"{op}{z}.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                if k == "f":
                    yield f"{op}{z}.NaN.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                    yield f"{op}{z}.xorsign.abs.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
                    if chip >= 100:
                        yield f"{op}{z}.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}};"
                        yield f"{op}{z}.NaN.abs.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, {{{k}3}};"
            for compare in "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split():
                yield f"setp.{compare}{z}.{t} {{q}}, {{{k}1}}, {{{k}2}};"
                yield f"setp.{compare}.or{z}.{t} {{q}}, {{{k}1}}, {{{k}2}}, !%q3;"
                yield f"set.{compare}{z}.u32.{t} {{r}}, {{{k}1}}, {{{k}2}};"
                yield f"set.{compare}{z}.f32.{t} {{f}}, {{{k}1}}, {{{k}2}};"
            for op in "abs neg".split():
                yield f"{op}{z}.{t} {{{k}}}, {{{k}1}};"
        yield f"copysign.{t} {{{k}}}, {{{k}1}}, {{{k}2}};"
        yield f"selp.{t} {{{k}}}, {{{k}1}}, {{{k}2}}, %q3;"
        yield f"slct.{t}.s32 {{{k}}}, {{{k}1}}, {{{k}2}}, {{r3}};"
        for name in "finite infinite number notanumber normal subnormal".split():
            yield f"testp.{name}.{t} {{q}}, {{{k}1}};"
    for z in "", ".ftz":
        for op in "rcp sqrt rsqrt sin cos lg2 ex2".split():
            yield f"{op}.approx{z}.f32 {{f}}, {{f1}};"
        yield f"div.approx{z}.f32 {{f}}, {{f1}}, {{f2}};"
        yield f"div.full{z}.f32 {{f}}, {{f1}}, {{f2}};"
    yield "tanh.approx.f32 {f}, {f1};"
    yield "rsqrt.approx.f64 {d}, {d1};"
    yield "rsqrt.approx.ftz.f64 {d}, {d1};"
    yield "rcp.approx.ftz.f64 {d}, {d1};"
    for t, k in ("f16", "h"), ("bf16", "h"), ("f16x2", "r"), ("bf16x2", "r"):
        yield f"ex2.approx{'.ftz' if t[0] == 'b' else ''}.{t} {{{k}}}, {{{k}1}};"
        yield f"tanh.approx.{t} {{{k}}}, {{{k}1}};"
        yield f"neg.{t} {{{k}}}, {{{k}1}};"
    if chip >= 100:
        for r in "rn rz rm rp".split():
            for op in "add mul".split():
                yield f"{op}.{r}.f32x2 {{l}}, {{l1}}, {{l2}};"
                yield f"{op}.{r}.ftz.f32x2 {{l}}, {{l1}}, {{l2}};"
            yield f"fma.{r}.f32x2 {{l}}, {{l1}}, {{l2}}, {{l3}};"
            yield f"fma.{r}.ftz.f32x2 {{l}}, {{l1}}, {{l2}}, {{l3}};"
    if chip >= 90:
        for t in "s16x2", "u16x2":
            for op in "min max".split():
                yield f"{op}.{t} {{r}}, {{r1}}, {{r2}};"
                if t[0] == "s":
                    yield f"{op}.relu.{t} {{r}}, {{r1}}, {{r2}};"
            yield f"add.{t} {{r}}, {{r1}}, {{r2}};"
        yield "max.relu.s32 {r}, {r1}, {r2};"
        yield "min.relu.s32 {r}, {r1}, {r2};"
        for t in "s32", "u32":
            for op in "min max".split():
                for first in "min max add".split():
                    yield f"{first}.{t} {{r}}, {{r1}}, {{r2}}; {op}.{t} {{r}}, {{r}}, {{r3}};"
                yield f"add.s32 {{r}}, {{r1}}, {{r2}}; {op}{'.relu' if t[0] == 's' else ''}.{t} {{r}}, {{r}}, {{r3}};"
        for t in "s16x2", "u16x2":
            for op in "min max".split():
                for first in "min max add".split():
                    yield f"{first}.{t} {{r}}, {{r1}}, {{r2}}; {op}.{t} {{r}}, {{r}}, {{r3}};"


def conversions(chip):
    """Yields templates of conversions."""
    kinds = {"8": "r", "16": "h", "32": "r", "64": "l"}
    ints = [s + w for s in "us" for w in ("8", "16", "32", "64")]
    floats = {"f16": "h", "f32": "f", "f64": "d"} | ({"bf16": "h"} if chip >= 80 else {})
    for a in ints:
        for b in ints:
            yield f"cvt.{a}.{b} {{{kinds[a[1:]]}}}, {{{kinds[b[1:]]}1}};"
            yield f"cvt.sat.{a}.{b} {{{kinds[a[1:]]}}}, {{{kinds[b[1:]]}1}};"
        for f, k in floats.items():
            for r in "rni rzi rmi rpi".split():
                for m in ("", ".ftz") if f == "f32" else ("",):
                    yield f"cvt.{r}{m}.{a}.{f} {{{kinds[a[1:]]}}}, {{{k}1}};"
                    yield f"cvt.{r}{m}.sat.{a}.{f} {{{kinds[a[1:]]}}}, {{{k}1}};"
            for r in "rn rz rm rp".split():
                yield f"cvt.{r}.{f}.{a} {{{k}}}, {{{kinds[a[1:]]}1}};"
            yield f"cvt.rn.sat.{f}.{a} {{{k}}}, {{{kinds[a[1:]]}1}};"
    for f, k in floats.items():
        for g, j in floats.items():
            for r in ["", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"]:
                for z in "", ".ftz":
                    for s in "", ".sat", ".relu", ".satfinite", ".relu.satfinite":
                        yield f"cvt{r}{z}{s}.{f}.{g} {{{k}}}, {{{j}1}};"
    for f, k in floats.items():
        for r in "rni rzi rmi rpi".split():
            yield f"neg.{f} {{{k}1}}, {{{k}1}}; cvt.{r}.{f}.{f} {{{k}}}, {{{k}1}};"
            yield f"neg.{f} {{{k}1}}, {{{k}1}}; cvt.{r}.s32.{f} {{r}}, {{{k}1}};"
            yield f"abs.{f} {{{k}1}}, {{{k}1}}; cvt.{r}.u64.{f} {{l}}, {{{k}1}};"
    for r in "rn", "rz", "rna", "rs":
        for m in "", ".relu", ".satfinite", ".relu.satfinite":
            for t in "f16x2", "bf16x2", "e4m3x2", "e5m2x2", "tf32", "ue8m0x2", "e2m1x2", "e2m3x2", "e3m2x2":
                if t == "tf32":
                    yield f"cvt.{r}{m}.{t}.f32 {{r}}, {{f1}};"
                elif t == "e2m1x2":
                    yield f"{{ .reg .b8 %y; cvt.{r}{m}.{t}.f32 %y, {{f1}}, {{f2}}; cvt.u32.u8 {{r}}, %y; }}"
                else:
                    k = "r" if t in ("f16x2", "bf16x2") else "h"
                    yield f"cvt.{r}{m}.{t}.f32 {{{k}}}, {{f1}}, {{f2}};"
                    if k == "h":
                        yield f"cvt.{r}{m}.{t}.f16x2 {{h}}, {{r1}};"
                        yield f"cvt.{r}{m}.{t}.bf16x2 {{h}}, {{r1}};"
                        yield f"cvt.{r}{m}.f16x2.{t} {{r}}, {{h1}};"
                        yield f"cvt.{r}{m}.bf16x2.{t} {{r}}, {{h1}};"
    yield "cvt.pack.sat.s16.s32 {r}, {r1}, {r2};"
    yield "cvt.pack.sat.u16.s32 {r}, {r1}, {r2};"
    for t in "u8", "s8", "u4", "s4", "u2", "s2":
        yield f"cvt.pack.sat.{t}.s32.b32 {{r}}, {{r1}}, {{r2}}, {{r3}};"


def memory(chip):
    """Yields templates of atomics, loads, stores and fences."""
    spaces = [".global", ".shared"]
    where = {".global": "%p2", ".shared": "%r22", "": "%p2", ".shared::cluster": "%r22"}
    scopes = ["cta", "gpu", "sys"] + (["cluster"] if chip >= 90 else [])
    operations = [(op, t) for op in ("add", "min", "max") for t in ("u32", "s32", "u64", "s64") if (op, t) != ("add", "s64")]
    operations += [(op, t) for op in ("and", "or", "xor", "exch", "cas") for t in ("b32", "b64")]
    operations += [("inc", "u32"), ("dec", "u32"), ("add", "f32"), ("add", "f64"), ("add.noftz", "f16"), ("add.noftz", "f16x2"), ("cas", "b16")]
    if chip >= 90:
        operations += [("add.noftz", "bf16"), ("add.noftz", "bf16x2")]
    names = {"u32": "r", "s32": "r", "b32": "r", "u64": "l", "s64": "l", "b64": "l", "f32": "f", "f64": "d", "f16": "h", "f16x2": "r", "b16": "h", "bf16": "h", "bf16x2": "r"}
    for space in spaces + [""]:
        at = where[space]
        for op, t in operations:
            k = names[t]
            b = f"{{{k}1}}, {{{k}2}}" if op == "cas" else f"{{{k}1}}"
            for offset in "", "+4096", "+-16":
                yield f"atom{space}.{op}.{t} {{{k}}}, [{at}{offset}], {b};"
                if op not in ("exch", "cas"):
                    yield f"red{space}.{op}.{t} [{at}{offset}], {b};"
            yield f"atom{space}.{op}.{t} {{{k}}}, [{'s+32' if space == '.shared' else '%p1+64'}], {b};"
            if op not in ("exch", "cas"):
                yield f"red{space}.{op}.{t} [{'s+32' if space == '.shared' else '%p1+64'}], {b};"
        for scope in scopes:
            for sem in "relaxed", "acquire", "release", "acq_rel":
                yield f"atom.{sem}.{scope}{space}.add.u32 {{r}}, [{at}], {{r1}};"
                yield f"atom.{sem}.{scope}{space}.cas.b64 {{l}}, [{at}], {{l1}}, {{l2}};"
                yield f"atom.{sem}.{scope}{space}.add.f32 {{f}}, [{at}], {{f1}};"
                if sem in ("relaxed", "release"):
                    yield f"red.{sem}.{scope}{space}.add.u32 [{at}], {{r1}};"
                    yield f"red.{sem}.{scope}{space}.add.f32 [{at}], {{f1}};"
    yield "atom.global.add.u32 {r}, [%p2], 1;"
    yield "atom.global.exch.b32 {r}, [%p2], 0;"
    yield "atom.global.inc.u32 {r}, [%p2], 7;"
    if chip >= 90:
        for scope in scopes:
            yield f"atom.relaxed.{scope}.global.exch.b128 %o1, [%p2], %o2; mov.b128 {{{{l}}, %l40}}, %o1;"
            yield f"mov.b128 %o2, {{{{l1}}, {{l2}}}}; mov.b128 %o3, {{{{l3}}, {{l4}}}}; atom.relaxed.{scope}.global.cas.b128 %o1, [%p2], %o2, %o3; mov.b128 {{{{l}}, %l40}}, %o1;"
        for vec, t, k in ("v2", "f32", "f"), ("v4", "f32", "f"), ("v2", "f16", "h"), ("v4", "f16", "h"), ("v8", "f16", "h"), ("v2", "f16x2", "r"), ("v4", "f16x2", "r"), ("v2", "bf16x2", "r"), ("v8", "bf16", "h"):
            n = int(vec[1:])
            source = ", ".join(f"{{{k}{i}}}" for i in range(1, 5))
            source = ", ".join((source.split(", ") * 2)[:n])
            target = ", ".join(f"%{k}{40 + i}" for i in range(n))
            m = ".noftz" if "16" in t else ""
            for op in ["add"] if t == "f32" else ["add", "min", "max"]:
                yield f"atom.global.{vec}.{t}.{op}{m} {{{target}}}, [%p2], {{{source}}}; st.volatile.global.{WIDTHS[k]} [%p1], %{k}41;"
                yield f"atom.global.{op}{m}.{vec}.{t} {{{target}}}, [%p2], {{{source}}}; st.volatile.global.{WIDTHS[k]} [%p1], %{k}41;"
                yield f"red.global.{op}{m}.{vec}.{t} [%p2], {{{source}}};"
        for op, t in ("add", "u32"), ("cas", "b32"), ("exch", "b64"), ("min", "s32"):
            k = names[t]
            yield f"atom.shared::cluster.{op}.{t} {{{k}}}, [%r22], {{{k}1}}" + (f", {{{k}2}};" if op == "cas" else ";")
        yield "ld.shared::cluster.u32 {r}, [%r22];"
        yield "ld.shared::cluster.v4.u32 {{r}, %r40, %r41, %r42}, [%r22+16];"
        yield "st.shared::cluster.u32 [%r22], {r1};"
        yield "mapa.shared::cluster.u32 {r}, %r22, {r1};"
        yield "mapa.u64 {l}, %p2, {r1};"
        yield "getctarank.shared::cluster.u32 {r}, %r22;"
        yield "getctarank.u64 {r}, %p2;"
        yield "isspacep.shared::cluster {q}, %p2;"
        for m in "", ".aligned":
            yield f"barrier.cluster.arrive{m};"
            yield f"barrier.cluster.arrive.relaxed{m};"
            yield f"barrier.cluster.arrive.release{m};"
            yield f"barrier.cluster.wait{m};"
            yield f"barrier.cluster.wait.acquire{m};"
        yield "griddepcontrol.wait;"
        yield "griddepcontrol.launch_dependents;"
        yield "elect.sync {r}|%q1, {r1}; @%q1 st.volatile.global.b32 [%p1], %r7;"
        yield "fence.proxy.async;"
        yield "fence.proxy.async.global;"
        yield "fence.proxy.async.shared::cta;"
        yield "fence.mbarrier_init.release.cluster;"
        yield "fence.proxy.tensormap::generic.release.gpu;"
        yield "fence.proxy.tensormap::generic.acquire.gpu [%p1], 128;"
        for scope in scopes:
            yield f"fence.acquire.{scope};"
            yield f"fence.release.{scope};"
    for level in "cta", "gl", "sys":
        yield f"membar.{level};"
        yield f"st.global.u32 [%p2], {{r1}}; membar.{level}; ld.global.u32 {{r}}, [%p2+4];"
        yield f"st.shared.u32 [%r22], {{r1}}; membar.{level}; ld.shared.u32 {{r}}, [%r22+4];"
    for scope in scopes:
        for sem in "sc", "acq_rel":
            yield f"fence.{sem}.{scope};"
            yield f"st.global.u32 [%p2], {{r1}}; fence.{sem}.{scope}; ld.global.u32 {{r}}, [%p2+4];"
    yield "fence.proxy.alias;"
    for space in spaces + ["", ".local"]:
        at = "t+16" if space == ".local" else where[space]
        for t in "u8 s8 u16 s16 b32 b64".split():
            k = {"8": "r", "6": "h", "2": "r", "4": "l"}[t[-1]]
            yield f"ld{space}.{t} {{{k}}}, [{at}+8];"
            yield f"st{space}.{t.replace('s', 'u')} [{at}+8], {{{k}1}};"
            yield f"ld.volatile{space}.{t} {{{k}}}, [{at}+8];"
            yield f"st.volatile{space}.{t.replace('s', 'u')} [{at}+8], {{{k}1}};"
        yield f"ld{space}.v2.b32 {{{{r}}, %r40}}, [{at}]; st.volatile.global.b32 [%p1], %r40;"
        yield f"ld{space}.v4.b32 {{{{r}}, %r40, %r41, %r42}}, [{at}]; st.volatile.global.b32 [%p1], %r42;"
        yield f"st{space}.v2.b32 [{at}], {{{{r1}}, {{r2}}}};"
        yield f"st{space}.v4.b32 [{at}], {{{{r1}}, {{r2}}, {{r3}}, {{r4}}}};"
        yield f"st{space}.v2.b64 [{at}], {{{{l1}}, {{l2}}}};"
        if space != ".local":
            for scope in scopes:
                for sem in "relaxed", "acquire":
                    yield f"ld.{sem}.{scope}{space}.u32 {{r}}, [{at}];"
                    yield f"ld.{sem}.{scope}{space}.b64 {{l}}, [{at}];"
                for sem in "relaxed", "release":
                    yield f"st.{sem}.{scope}{space}.u32 [{at}], {{r1}};"
                    yield f"st.{sem}.{scope}{space}.b64 [{at}], {{l1}};"
    yield "ld.mmio.relaxed.sys.global.u32 {r}, [%p2];"
    yield "st.mmio.relaxed.sys.global.u32 [%p2], {r1};"
    for t, k in ("u8", "r"), ("s16", "h"), ("b32", "r"), ("b64", "l"):
        yield f"ld.global.nc.{t} {{{k}}}, [%p2+8];"
        for cache in ".ca .cg .cs .lu .cv".split():
            yield f"ld.global{cache}.{t} {{{k}}}, [%p2+8];"
        for cache in ".wb .cg .cs .wt".split():
            yield f"st.global{cache}.{t.replace('s', 'u')} [%p2+8], {{{k}1}};"
        for level in ("evict_normal", "evict_first", "evict_last", "evict_unchanged", "no_allocate"):
            yield f"ld.global.L1::{level}.{t} {{{k}}}, [%p2];"
            yield f"ld.global.nc.L1::{level}.{t} {{{k}}}, [%p2];"
            yield f"st.global.L1::{level}.{t.replace('s', 'u')} [%p2], {{{k}1}};"
            yield f"ld.global.L1::{level}.L2::128B.{t} {{{k}}}, [%p2];"
        for size in "64B", "128B", "256B":
            yield f"ld.global.L2::{size}.{t} {{{k}}}, [%p2];"
            yield f"ld.global.nc.L2::{size}.{t} {{{k}}}, [%p2];"
    yield "ld.global.nc.v4.b32 {{r}, %r40, %r41, %r42}, [%p2]; st.volatile.global.b32 [%p1], %r42;"
    for level in "evict_first", "evict_last", "evict_normal":
        yield f"ld.global.L2::{level}.v4.b64 {{{{l}}, %l40, %l41, %l42}}, [%p2]; st.volatile.global.b64 [%p1], %l42;"
    yield "ld.global.v8.b32 {{r}, %r40, %r41, %r42, %r43, %r44, %r45, %r46}, [%p2]; st.volatile.global.b32 [%p1], %r42;"
    yield "ld.global.v4.b64 {{l}, %l40, %l41, %l42}, [%p2]; st.volatile.global.b64 [%p1], %l42;"
    yield "ld.global.nc.v4.b64 {{l}, %l40, %l41, %l42}, [%p2]; st.volatile.global.b64 [%p1], %l42;"
    yield "st.global.v4.b64 [%p2], {{l1}, {l2}, {l3}, {l4}};"
    yield "st.global.v8.b32 [%p2], {{r1}, {r2}, {r3}, {r4}, {r1}, {r2}, {r3}, {r4}};"
    for op in ("prefetch.global.L1 [%p2];", "prefetch.global.L2 [%p2];", "prefetch.L1 [%p2];", "prefetch.local.L1 [t];", "prefetchu.L1 [%p2];", "prefetch.global.L2::evict_last [%p2];", "prefetch.global.L2::evict_normal [%p2];"):
        yield op
    yield "discard.global.L2 [%p2], 128;"
    yield "applypriority.global.L2::evict_normal [%p2], 128;"
    if chip >= 80:
        for policy in ("createpolicy.fractional.L2::evict_last.b64 %l40, 0.5;", "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %l40, 1.0;", "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %l40, [%p2], 0x100000, 0x200000;", "createpolicy.cvt.L2.b64 %l40, 0x10F0000000000000;"):
            yield policy + " st.volatile.global.b64 [%p1], %l40;"
            yield policy + " ld.global.L2::cache_hint.u32 {r}, [%p2], %l40;"
            yield policy + " st.global.L2::cache_hint.u32 [%p2], {r1}, %l40;"
            yield policy + " atom.global.add.L2::cache_hint.u32 {r}, [%p2], {r1}, %l40;"
        for cache, sizes in ("ca", (4, 8, 16)), ("cg", (16,)):
            for size in sizes:
                for m in "", ".L2::128B":
                    yield f"cp.async.{cache}.shared.global{m} [%r22], [%p2], {size};"
                    yield f"cp.async.{cache}.shared.global{m} [%r22+16], [%p2+32], {size}, {{r1}};"
                    yield f"cp.async.{cache}.shared.global{m} [s], [%p2+32], {size};"
                    yield f"@%q3 cp.async.{cache}.shared.global{m} [%r22+128], [%p1], {size};"
        yield "cp.async.commit_group;"
        for n in 0, 1, 3:
            yield f"cp.async.commit_group; cp.async.wait_group {n};"
        yield "cp.async.wait_all;"
        yield "cp.async.mbarrier.arrive.shared.b64 [%r22];"
        yield "cp.async.mbarrier.arrive.noinc.shared.b64 [%r22+8];"
        yield "mbarrier.init.shared.b64 [%r22], {r1};"
        yield "mbarrier.init.shared.b64 [s], 32;"
        yield "mbarrier.inval.shared.b64 [%r22];"
        yield "mbarrier.arrive.shared.b64 {l}, [%r22];"
        yield "mbarrier.arrive.shared.b64 {l}, [s+8];"
        yield "mbarrier.arrive.noComplete.shared.b64 {l}, [%r22], {r1};"
        yield "mbarrier.arrive_drop.shared.b64 {l}, [%r22];"
        yield "mbarrier.arrive_drop.noComplete.shared.b64 {l}, [%r22], {r1};"
        yield "mbarrier.test_wait.shared.b64 {q}, [%r22], {l1};"
        yield "mbarrier.pending_count.b64 {r}, {l1};"
    if chip >= 90:
        yield "mbarrier.arrive.shared.b64 {l}, [%r22], {r1};"
        yield "mbarrier.arrive.expect_tx.shared.b64 {l}, [%r22], {r1};"
        yield "mbarrier.arrive.expect_tx.shared.b64 _, [s+8], 1024;"
        yield "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r22];"
        yield "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r22], {r1};"
        yield "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r22], {r1};"
        yield "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r22], {r1};"
        yield "mbarrier.try_wait.shared.b64 {q}, [%r22], {l1};"
        yield "mbarrier.try_wait.shared.b64 {q}, [%r22], {l1}, {r1};"
        yield "mbarrier.try_wait.parity.shared.b64 {q}, [%r22], {r1};"
        yield "mbarrier.try_wait.parity.shared.b64 {q}, [s+8], {r1};"
        yield "mbarrier.test_wait.parity.shared.b64 {q}, [%r22], {r1};"
        yield "mbarrier.test_wait.acquire.cluster.shared.b64 {q}, [%r22], {l1};"
        yield "mbarrier.try_wait.acquire.cluster.shared.b64 {q}, [%r22], {l1};"
        yield "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r22], [%p2], {r1}, [s];"
        yield "cp.async.bulk.global.shared::cta.bulk_group [%p2], [%r22], {r1};"
        yield "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r22], [%r21], {r1}, [s];"
        yield "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%p2], [%r22], {r1};"
        yield "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%p2], [%r22], {r1};"
        yield "cp.async.bulk.prefetch.L2.global [%p2], {r1};"
        yield "cp.async.bulk.commit_group;"
        yield "cp.async.bulk.wait_group 0;"
        yield "cp.async.bulk.wait_group.read 1;"
        yield "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r22], {r1}, [%r21];"
        yield "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r22], {r1}, [%r21];"
        for n in range(1, 6):
            coordinates = ", ".join("{r%d}" % (i % 4 + 1) for i in range(n))
            yield f"cp.async.bulk.tensor.{n}d.shared::cluster.global.mbarrier::complete_tx::bytes [%r22], [%p1, {{{coordinates}}}], [s];"
            yield f"cp.async.bulk.tensor.{n}d.global.shared::cta.bulk_group [%p1, {{{coordinates}}}], [%r22];"
            yield f"cp.reduce.async.bulk.tensor.{n}d.global.shared::cta.add.bulk_group [%p1, {{{coordinates}}}], [%r22];"
            yield f"cp.async.bulk.prefetch.tensor.{n}d.L2.global [%p1, {{{coordinates}}}];"


def threads(chip):
    """Yields templates of instructions that threads of a warp or a block execute together."""
    for mode in "up down bfly idx".split():
        yield f"shfl.sync.{mode}.b32 {{r}}, {{r1}}, {{r2}}, {{r3}}, {{r4}};"
        yield f"shfl.sync.{mode}.b32 {{r}}|%q1, {{r1}}, {{r2}}, 0x1f, -1; @%q1 st.volatile.global.b32 [%p1], %r7;"
        yield f"shfl.sync.{mode}.b32 {{r}}, {{r1}}, 3, {{r3}}, -1;"
    for mode in "all any uni".split():
        yield f"vote.sync.{mode}.pred {{q}}, %q3, {{r1}};"
        yield f"vote.sync.{mode}.pred {{q}}, !%q3, -1;"
    yield "vote.sync.ballot.b32 {r}, %q3, {r1};"
    yield "vote.sync.ballot.b32 {r}, !%q3, -1;"
    for t, k in ("b32", "r"), ("b64", "l"):
        yield f"match.any.sync.{t} {{r}}, {{{k}1}}, {{r2}};"
        yield f"match.any.sync.{t} {{r}}, {{{k}1}}, -1;"
        yield f"match.all.sync.{t} {{r}}, {{{k}1}}, {{r2}};"
        yield f"match.all.sync.{t} {{r}}|%q1, {{{k}1}}, -1; @%q1 st.volatile.global.b32 [%p1], %r7;"
    yield "activemask.b32 {r};"
    if chip >= 80:
        for op in "add min max".split():
            for t in "u32", "s32":
                yield f"redux.sync.{op}.{t} {{r}}, {{r1}}, {{r2}};"
                yield f"redux.sync.{op}.{t} {{r}}, {{r1}}, -1;"
        for op in "and or xor".split():
            yield f"redux.sync.{op}.b32 {{r}}, {{r1}}, {{r2}};"
            yield f"redux.sync.{op}.b32 {{r}}, {{r1}}, -1;"
    if chip == 100:
        for op in "min max".split():
            for m in "", ".abs", ".NaN", ".abs.NaN":
                yield f"redux.sync.{op}{m}.f32 {{f}}, {{f1}}, {{r2}};"
                yield f"redux.sync.{op}{m}.f32 {{f}}, {{f1}}, -1;"
    yield "bar.sync 0;"
    yield "bar.sync {r1};"
    yield "bar.sync 3, 64;"
    yield "bar.sync {r1}, {r2};"
    yield "bar.sync 2, {r2};"
    yield "bar.sync {r1}, 96;"
    yield "bar.arrive 1, 64;"
    yield "bar.arrive {r1}, {r2};"
    yield "bar.arrive 2, {r2};"
    yield "bar.arrive {r1}, 96;"
    yield "barrier.sync 0;"
    yield "barrier.sync {r1}, {r2};"
    yield "barrier.arrive 1, 64;"
    for m in "bar", "barrier":
        for b in "0", "3, 64", "{r1}", "{r1}, {r2}", "{r1}, 96", "2, {r2}":
            yield f"{m}.red.popc.u32 {{r}}, {b}, %q3;"
            for op in "and", "or":
                yield f"{m}.red.{op}.pred {{q}}, {b}, !%q3;"
    yield "bar.warp.sync -1;"
    yield "bar.warp.sync 0xff;"
    yield "bar.warp.sync {r1};"
    yield "nanosleep.u32 {r1};"
    yield "nanosleep.u32 100;"
    yield "pmevent 3;"
    yield "pmevent.mask 12;"
    yield "@%q3 trap;"
    yield "brkpt;"
    yield "@%q3 exit;"
    for name in ("tid.x", "tid.y", "tid.z", "ntid.x", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt", "clock", "clock_hi", "pm0", "pm7", "envreg3", "globaltimer_lo", "globaltimer_hi", "total_smem_size", "aggr_smem_size", "dynamic_smem_size", "clusterid.x", "nclusterid.x", "cluster_ctaid.x", "cluster_nctaid.y", "cluster_ctarank", "cluster_nctarank", "reserved_smem_offset_1"):
        yield f"mov.u32 {{r}}, %{name};"
    for name in "clock64", "globaltimer", "gridid", "pm0_64", "current_graph_exec":
        yield f"mov.u64 {{l}}, %{name};"
    yield "isspacep.global {q}, %p2;"
    yield "isspacep.shared {q}, %p2;"
    yield "isspacep.local {q}, %p2;"
    yield "isspacep.const {q}, %p2;"
    for space in "global", "shared", "local", "const":
        yield f"cvta.{space}.u64 {{l}}, {{l1}};"
        yield f"cvta.to.{space}.u64 {{l}}, {{l1}};"
    yield "cvta.local.u64 {l}, t;"
    yield "alloca.u64 %l40, {l1}; st.local.u32 [%l40], {r1}; ld.local.u32 {r}, [%l40+4];"
    yield "stacksave.u64 {l};"
    yield "{ .reg .pred %a, %b, %c, %d, %e; setp.lt.u32 %a, {r1}, 5; setp.lt.u32 %b, {r2}, 5; setp.lt.u32 %c, {r3}, 6; and.pred %d, %a, %b; xor.pred %d, %d, %c; or.pred %e, %d, %b; not.pred %e, %e; selp.b32 {r}, 1, 0, %e; @%d st.global.u32 [%p1], %r7; }"


def matrices(chip):
    """Yields templates of instructions for matrices."""
    def fragment(kind, first, count):
        return "{" + ", ".join(f"%{kind}{first + i}" for i in range(count)) + "}"

    def mma(shape, d, a, b, c, na, nb, nc, m="", order="row.col", kinds="rrr", tail=""):
        kd = {"f32": "f", "f16": "r", "s32": "r", "f64": "d"}[d]
        ka = "d" if a == "f64" else "r"
        loads = "".join(f"ld.volatile.global.{'f64' if ka == 'd' else 'b32'} %{ka}{30 + i}, [%p2+{8 * i}];\n" for i in range(na + nb))
        loads += "".join(f"ld.volatile.global.{WIDTHS[kd]} %{kd}{44 + i}, [%p2+{128 + 8 * i}];\n" for i in range(nc))
        stores = "".join(f"st.volatile.global.{WIDTHS[kd]} [%p1+{8 * i}], %{kd}{52 + i};\n" for i in range(nc))
        types = f".{d}.{a}.{b}.{c}"
        return f"{loads} mma.sync.aligned.{shape}.{order}{m}{types}{tail} {fragment(kd, 52, nc)}, {fragment(ka, 30, na)}, {fragment(ka, 30 + na, nb)}, {fragment(kd, 44, nc)};\n{stores}"

    def sparse(shape, d, a, b, na, nb, nc, m="", tail=""):
        kd = {"f32": "f", "f16": "r", "s32": "r"}[d]
        loads = "".join(f"ld.volatile.global.b32 %r{30 + i}, [%p2+{8 * i}];\n" for i in range(na + nb))
        loads += "".join(f"ld.volatile.global.{WIDTHS[kd]} %{kd}{44 + i}, [%p2+{128 + 8 * i}];\n" for i in range(nc))
        stores = "".join(f"st.volatile.global.{WIDTHS[kd]} [%p1+{8 * i}], %{kd}{52 + i};\n" for i in range(nc))
        for variant in "sp", "sp::ordered_metadata":
            for selector in 0, 1:
                yield f"{loads} mma.{variant}.sync.aligned.{shape}.row.col{m}.{d}.{a}.{b}.{d} {fragment(kd, 52, nc)}, {fragment('r', 30, na)}, {fragment('r', 30 + na, nb)}, {fragment(kd, 44, nc)}, {{r1}}, {selector};\n{stores}"

    for d, nc in ("f32", 4), ("f16", 2):
        yield mma("m16n8k8", d, "f16", "f16", d, 2, 1, nc)
        if chip >= 80:
            yield mma("m16n8k16", d, "f16", "f16", d, 4, 2, nc)
            yield from sparse("m16n8k16", d, "f16", "f16", 2, 2, nc)
            yield from sparse("m16n8k32", d, "f16", "f16", 4, 4, nc)
        if chip >= 89:
            for a in "e4m3", "e5m2":
                for b in "e4m3", "e5m2":
                    yield mma("m16n8k32", d, a, b, d, 4, 2, nc)
                    yield mma("m16n8k16", d, a, b, d, 2, 1, nc)
            yield from sparse("m16n8k64", d, "e4m3", "e5m2", 4, 4, nc)
    for order in "row.col", "col.row", "row.row", "col.col":
        yield mma("m8n8k4", "f32", "f16", "f16", "f32", 2, 2, 8, order=order)
        yield mma("m8n8k4", "f16", "f16", "f16", "f16", 2, 2, 4, order=order)
    if chip >= 80:
        for t in "bf16", "tf32":
            yield mma("m16n8k8", "f32", t, t, "f32", 2 if t == "bf16" else 4, 1 if t == "bf16" else 2, 4)
        yield mma("m16n8k16", "f32", "bf16", "bf16", "f32", 4, 2, 4)
        yield mma("m16n8k4", "f32", "tf32", "tf32", "f32", 2, 1, 4)
        yield from sparse("m16n8k32", "f32", "bf16", "bf16", 4, 4, 4)
        yield from sparse("m16n8k16", "f32", "bf16", "bf16", 2, 2, 4)
        yield from sparse("m16n8k16", "f32", "tf32", "tf32", 4, 4, 4)
        yield from sparse("m16n8k8", "f32", "tf32", "tf32", 2, 2, 4)
        yield mma("m8n8k4", "f64", "f64", "f64", "f64", 1, 1, 2)
        for r in ".rn", ".rz", ".rm", ".rp":
            yield mma("m8n8k4", "f64", "f64", "f64", "f64", 1, 1, 2, tail=r)
    if chip >= 90:
        yield mma("m16n8k4", "f64", "f64", "f64", "f64", 2, 1, 4)
        yield mma("m16n8k8", "f64", "f64", "f64", "f64", 4, 2, 4)
        yield mma("m16n8k16", "f64", "f64", "f64", "f64", 8, 4, 4)
    for m in "", ".satfinite":
        for a in "s8", "u8":
            for b in "s8", "u8":
                yield mma("m8n8k16", "s32", a, b, "s32", 1, 1, 2, m)
                if chip >= 80:
                    yield mma("m16n8k16", "s32", a, b, "s32", 2, 1, 4, m)
                    yield mma("m16n8k32", "s32", a, b, "s32", 4, 2, 4, m)
                    yield from sparse("m16n8k32", "s32", a, b, 2, 2, 4, m)
                    yield from sparse("m16n8k64", "s32", a, b, 4, 4, 4, m)
        for a in "s4", "u4":
            for b in "s4", "u4":
                yield mma("m8n8k32", "s32", a, b, "s32", 1, 1, 2, m)
                if chip >= 80:
                    yield mma("m16n8k32", "s32", a, b, "s32", 2, 1, 4, m)
                    yield mma("m16n8k64", "s32", a, b, "s32", 4, 2, 4, m)
                    yield from sparse("m16n8k64", "s32", a, b, 2, 2, 4, m)
    for op in "xor", "and":
        tail = f".{op}.popc"
        yield mma("m8n8k128", "s32", "b1", "b1", "s32", 1, 1, 2, tail=tail)
        if chip >= 80:
            yield mma("m16n8k128", "s32", "b1", "b1", "s32", 2, 1, 4, tail=tail)
            yield mma("m16n8k256", "s32", "b1", "b1", "s32", 4, 2, 4, tail=tail)
    if chip == 120:
        for a in "e4m3", "e5m2", "e2m1", "e2m3", "e3m2":
            for b in "e4m3", "e5m2", "e2m1", "e2m3", "e3m2":
                yield mma("m16n8k32", "f32", a, b, "f32", 4, 2, 4, m=".kind::f8f6f4")
        yield from (mma("m16n8k32", "f16", a, "e2m1", "f16", 4, 2, 2, m=".kind::f8f6f4") for a in ("e4m3", "e3m2"))
    for n, count in ("x1", 1), ("x2", 2), ("x4", 4):
        registers = "{" + ", ".join(["{r}", "%r40", "%r41", "%r42"][:count]) + "}"
        sources = "{" + ", ".join(["{r1}", "{r2}", "{r3}", "{r4}"][:count]) + "}"
        for trans in "", ".trans":
            for at in "%r22", "%r22+256", "s+128":
                yield f"ldmatrix.sync.aligned.m8n8.{n}{trans}.shared.b16 {registers}, [{at}];"
                if chip >= 90:
                    yield f"stmatrix.sync.aligned.m8n8.{n}{trans}.shared.b16 [{at}], {sources};"
        if chip >= 100 and n != "x4":
            pair = "{" + ", ".join(["{r}", "%r40", "%r41", "%r42"][: 2 * count]) + "}"
            yield f"ldmatrix.sync.aligned.m16n16.{n}.trans.shared.b8 {pair}, [%r22];"
            for f in "b6x16_p32", "b4x16_p64":
                yield f"ldmatrix.sync.aligned.m16n16.{n}.trans.shared.b8x16.{f} {pair}, [%r22];"
        if chip >= 100:
            for f in "b6x16_p32", "b4x16_p64":
                yield f"ldmatrix.sync.aligned.m8n16.{n}.shared.b8x16.{f} {registers}, [%r22];"
            yield f"stmatrix.sync.aligned.m16n8.{n}.trans.shared.b8 [%r22], {sources};"
    yield "movmatrix.sync.aligned.m8n8.trans.b16 {r}, {r1};"


def forms(template):
    """Yields a template with different sources: loads, parameters and numbers."""
    sources = re.findall(r"\{([rhfdl])([1-4])\}", template)
    sources = list(dict.fromkeys(sources))
    rules = [{}]
    if sources and "\n" not in template and not re.search(r"\.v[248]\.|b128", template):
        everywhere = {source: f"%{source[0]}{7 if i % 2 == 0 else 8}" for i, source in enumerate(sources)}
        rules.append(everywhere)
        for i in range(len(sources)):
            kind = sources[i][0]
            if len(sources) > 1:
                rules.append({sources[i]: f"%{kind}7"})
            rules.append({sources[i]: NUMBERS[kind]})
    for rule in rules:
        yield re.sub(r"\{([rhfdl])([1-4])\}", lambda found: rule.get(found.groups(), f"%{found[1]}{found[2]}"), template)


def complete(text, number):
    """Returns an instruction with its loads and stores."""
    registers = sorted(set(re.findall(r"%([rhfdl])([1-4])\b", text)))
    loads = "".join(f"ld.volatile.global.{WIDTHS[kind]} %{kind}{i}, [%p2+{8 * int(i)}]; " for kind, i in registers)
    stores = ""
    if "%q3" in text:
        loads += "ld.volatile.global.b32 %r50, [%p2]; setp.ne.u32 %q3, %r50, 7; "
    for kind in "rhfdl":
        if f"{{{kind}}}" in text:
            stores += f" st.volatile.global.{WIDTHS[kind]} [%p2], %{kind}5;"
            text = text.replace(f"{{{kind}}}", f"%{kind}5")
    if "{q}" in text:
        stores += " @%q4 st.volatile.global.b32 [%p2], %r7;"
        text = text.replace("{q}", "%q4")
    return re.sub(r"\s*\n\s*", " ", f"  {{ {loads}{text}{stores} }}") + "\n"


def kernels(chip, all_forms=True):
    """Returns PTX modules for a chip, each with its target."""
    groups = [scalars, conversions, memory, threads, matrices]
    special = {75: "75", 80: "80", 86: "86", 89: "89", 90: "90a", 100: "100a", 120: "120a"}[chip]
    lines = [complete(text, 0) for group in groups for template in group(chip) for text in forms(template)]
    lines = list(dict.fromkeys(lines))
    out = []
    for start in range(0, len(lines), 100):
        head = HEAD.format(target=special, name=f"operations_{start // 100}")
        out.append(head + "".join(lines[start : start + 100]) + "  ret;\n}\n")
    return out
