"""PTX kernels of the half-precision instructions, with every combination of their modifiers.

`kernels(chip)` returns a list of PTX modules. Each module contains one kernel with up to 40 instructions, because
one error would otherwise reject all of them. The caller drops the modules that a chip does not support.
"""

HEAD = """.version 8.8
.target sm_{chip}
.address_size 64
.visible .entry {name}(.param .u64 p, .param .b32 x, .param .b32 y) {{
  .reg .b64 %p<2>; .reg .b32 %r<9>; .reg .b16 %h<9>; .reg .f32 %f<5>; .reg .pred %q<9>;
  ld.param.u64 %p1, [p]; ld.param.b32 %r7, [x]; ld.param.b32 %r8, [y];
"""


def load():
    """Returns loads of fresh values, so that the compiler cannot combine two instructions."""
    wide = "".join(f"  ld.volatile.global.b32 %r{i}, [%p1+{4 * i}];\n" for i in range(1, 5))
    return wide + "".join(f"  ld.volatile.global.b16 %h{i}, [%p1+{32 + 2 * i}];\n" for i in range(1, 5))


def instructions(chip):
    """Returns instructions that write `%r5`, `%h5`, `%f1` or `%q1`."""
    out = []
    f16 = ["f16x2", "f16"]
    types = f16 + (["bf16x2", "bf16"] if chip >= 80 else [])
    for t in types:
        reg, dst = ("%r", "%r5") if t.endswith("x2") else ("%h", "%h5")
        a, b, c = (reg + str(i) for i in (1, 2, 3))
        constants = [b, "%r7"] if t.endswith("x2") else [b]
        wide = t.endswith("x2")
        immediates = ["0x3c003c00", "0xbc004000", "0x7c00fc00", "0x7fff0001", "0x80000000"] if wide else []
        ftz = ["", ".ftz"] if t in f16 else [""]
        sat = ["", ".sat"] if t in f16 else [""]
        for z in ftz:
            for s in sat:
                if t in f16 or chip >= 90:
                    for op in ("add", "sub", "mul"):
                        for x in constants:
                            out.append(f"{op}{'.rn'}{z}{s}.{t} {dst}, {a}, {x};")
                        for number in immediates:
                            out.append(f"{{.reg .b32 %k; mov.b32 %k, {number}; {op}.rn{z}{s}.{t} {dst}, {a}, %k;}}")
                if t in f16:
                    for x, y in ((b, c), ("%r7", c), (b, "%r7")) if wide else ((b, c),):
                        out.append(f"fma.rn{z}{s}.{t} {dst}, {a}, {x}, {y};")
                    for number in immediates:
                        out.append(f"{{.reg .b32 %k; mov.b32 %k, {number}; fma.rn{z}{s}.{t} {dst}, {a}, %k, {c};}}")
                        out.append(f"{{.reg .b32 %k; mov.b32 %k, {number}; fma.rn{z}{s}.{t} {dst}, {a}, {b}, %k;}}")
            if chip >= 80:
                out.append(f"fma.rn{z}.relu.{t} {dst}, {a}, {b}, {c};")
                for nan in ("", ".NaN"):
                    for xor in ("", ".xorsign.abs") if chip >= 86 else ("",):
                        for op in ("min", "max"):
                            for x in constants:
                                out.append(f"{op}{z}{nan}{xor}.{t} {dst}, {a}, {x};")
                            for number in immediates[:2]:
                                out.append(f"{{.reg .b32 %k; mov.b32 %k, {number}; {op}{z}{nan}{xor}.{t} {dst}, {a}, %k;}}")
            if t in f16 or chip >= 90:
                for cmp in "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split():
                    out.append(f"set.{cmp}{z}.{t}.{t} {dst}, {a}, {b};")
                    out.append(f"set.{cmp}{z}.b32.f16 %r5, %h1, %h2;" if t == "f16" else f"set.{cmp}{z}.u32.{t} %r5, {a}, {b};")
                    if wide:
                        out.append(f"setp.{cmp}{z}.{t} %q1|%q2, {a}, {b};")
                        out.append(f"setp.{cmp}.or{z}.{t} %q1|%q2, {a}, {b}, !%q3;")
                        out.append(f"setp.{cmp}.xor{z}.{t} %q1|%q2, {a}, %r7, %q3;")
                    else:
                        out.append(f"setp.{cmp}{z}.{t} %q1, {a}, {b};")
                        out.append(f"setp.{cmp}.and{z}.{t} %q1, {a}, {b}, %q3;")
        if t in f16 or chip >= 80:
            out.append(f"abs.{t} {dst}, {a};")
            out.append(f"neg.{t} {dst}, {a};")
            out.append(f"{{.reg .b{16 * (1 + wide)} %k; neg.{t} %k, {a}; fma.rn.{t} {dst}, %k, {b}, {c};}}")
            out.append(f"{{.reg .b{16 * (1 + wide)} %k; abs.{t} %k, {b}; fma.rn.{t} {dst}, {a}, %k, {c};}}")
            out.append(f"{{.reg .b{16 * (1 + wide)} %k; neg.{t} %k, {c}; fma.rn.{t} {dst}, {a}, {b}, %k;}}")
        if wide:
            for op in ("add", "mul") if t in f16 or chip >= 90 else ():
                for low, high in (("%a", "%a"), ("%b", "%b"), ("%b", "%a")):
                    out.append(f"{{.reg .b16 %a, %b; .reg .b32 %k; mov.b32 {{%a, %b}}, {b}; mov.b32 %k, {{{low}, {high}}}; {op}.rn.{t} {dst}, {a}, %k;}}")
            for low, high in (("%a", "%a"), ("%b", "%b"), ("%b", "%a")):
                for text in (f"fma.rn.{t} {dst}, %k, {a}, {c}", f"fma.rn.{t} {dst}, {a}, %k, {c}", f"fma.rn.{t} {dst}, {a}, {c}, %k"):
                    if t in f16 or chip >= 80:
                        out.append(f"{{.reg .b16 %a, %b; .reg .b32 %k; mov.b32 {{%a, %b}}, {b}; mov.b32 %k, {{{low}, {high}}}; {text};}}")
    out += ["cvt.f32.f16 %f1, %h1;", "cvt.rn.f16.f32 %h5, %f2;", "cvt.rz.f16.f32 %h5, %f2;", "cvt.rn.f16x2.f32 %r5, %f2, %f3;", "cvt.rni.f16.f16 %h5, %h1;", "cvt.rn.f16.s32 %h5, %r1;", "cvt.rzi.s32.f16 %r5, %h1;"]
    out += ["cvt.rn.bf16.f32 %h5, %f2;", "cvt.rn.relu.bf16x2.f32 %r5, %f2, %f3;", "ex2.approx.f16x2 %r5, %r1;", "tanh.approx.f16x2 %r5, %r1;", "tanh.approx.bf16x2 %r5, %r1;", "ex2.approx.ftz.bf16x2 %r5, %r1;"] if chip >= 80 else []
    out += ["add.f32.f16 %f1, %h1, %f2;", "fma.rn.f32.f16 %f1, %h1, %h2, %f2;"] if chip >= 100 else []
    return out


def store(text):
    """Returns stores of the result of an instruction."""
    if "%q1" in text:
        second = "  @%q2 st.volatile.global.b32 [%p1+4], %r2;\n" if "%q2" in text else ""
        return "  @%q1 st.volatile.global.b32 [%p1], %r1;\n" + second
    for register, width in (("%r5", "b32"), ("%h5", "b16"), ("%f1", "f32")):
        if register in text:
            return f"  st.volatile.global.{width} [%p1], {register};\n"
    raise ValueError(text)


def kernels(chip):
    """Returns PTX modules for a chip."""
    everything, out = instructions(chip), []
    for start in range(0, len(everything), 40):
        body = HEAD.format(chip=chip, name=f"half_{start // 40}")
        for text in everything[start : start + 40]:
            body += load() + "  setp.ne.u32 %q3, %r4, 7; mov.b32 %f2, %r3; mov.b32 %f3, %r4;\n"
            body += "  " + text + "\n" + store(text)
        out.append(body + "  ret;\n}\n")
    return out
