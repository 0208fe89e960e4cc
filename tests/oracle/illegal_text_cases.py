"""Invalid text as data: each line has one error, its category and a part of the expected message.

A swap `old => new` is applied to the plain instruction of every opcode whose text contains `old`.
"""

HALU_SWAPS = """
R10 => R255 | out-of-range | R255
R10 => R256 | out-of-range | R256
R11 => R255 | out-of-range | R255
R12 => R1000 | out-of-range | R1000
R13 => R255 | out-of-range | R255
R12 => R99999999999999999999 | out-of-range | R999
UR14 => UR63 | out-of-range | UR63
UR14 => UR64 | out-of-range | UR64
UR14 => UR255 | out-of-range | UR255
P1 => P7 | out-of-range | P7
P2 => P8 | out-of-range | P8
P3 => P7 | out-of-range | P7
[0x5] => [0x20] | out-of-range | 0x20
[0x5] => [32] | out-of-range | 32
[0x160] => [0x20000] | out-of-range | 0x20000
[0x160] => [131072] | out-of-range | 131072
[0x160] => [0x161] | misaligned | 0x161
[0x160] => [0x162] | misaligned | 0x162
[0x160] => [3] | misaligned | 3
[0x160] => [-4] | syntax | -
[0x160] =>  | syntax | [
[0x5][ => [0x5 | syntax | ]
[0x5] => [] | syntax | ]
R10 => r10 | wrong-operand | r10
R11 => r11 | wrong-operand | r11
UR14 => ur14 | wrong-operand | ur14
P1, => p1, | wrong-operand | p1
R11 => UR11 | wrong-operand | UR11
R11 => P1 | wrong-operand | P1
R11 => c[0x0][0x0] | wrong-operand | c[
R11 => 1, 2 | wrong-operand | 1
R10 => UR10 | wrong-operand | UR10
R10 => P1 | wrong-operand | P1
R10 => -R10 | wrong-operand | -
R10 => R10.H0_H0 | wrong-operand | H0_H0
R10 => c[0x0][0x0] | wrong-operand | c[
R10 => !R10 | wrong-operand | !
P1 => R1 | wrong-operand | R1
P1 => !P1 | wrong-operand | !
P2 => -P2 | wrong-operand | -
P3 => R3 | wrong-operand | R3
P3 => -P3 | wrong-operand | -
R11 => !R11 | wrong-operand | !
R12 => P3 | wrong-operand | P3
R12 => 1 | wrong-operand | 1
UR14 => 1 | wrong-operand | 1
1, 2 => 1 | wrong-operand | lane
1, 2 => 1, 2, 3 | wrong-operand | 3
1, 2 => 1, R5 | wrong-operand | R5
1, 2 => 65520, 0 | bad-immediate | 65520
1, 2 => 0, -65520 | bad-immediate | -65520
1, 2 => 1e5, 0 | bad-immediate | 1e5
1, 2 => 0, 1e300 | bad-immediate | 1e300
1, 2 => 0x3c0, 0 | bad-immediate | 0x3c0
1, 2 => 0, 0x13c00 | bad-immediate | 0x13c00
1, 2 => NAN, 0 | wrong-operand | NAN
1, 2 => 1..2, 0 | syntax | ..
1, 2 => inf, 0 | wrong-operand | inf
1, 2 => -, 0 | syntax | -
1, 2 => 1.H0_H0, 2 | syntax | H0_H0
1, 2 => |1|, 2 | syntax | |
1, 2 => --1, 2 | syntax | --
1, 2 => 0x, 2 | syntax | 0x
R11 => R11.H0_H1 | unknown-modifier | H0_H1
R11 => R11.H0 | unknown-modifier | H0
R11 => R11.h0_h0 | unknown-modifier | h0_h0
R12 => R12.H2_H1 | unknown-modifier | H2_H1
UR14 => UR14.H1 | unknown-modifier | H1
R13 => R13.HH | unknown-modifier | HH
R11 => R11.H0_H0.H1_H1 | duplicate-modifier | H1_H1
R11 => |R11.H0_H0|.H1_H1 | duplicate-modifier | H1_H1
R11 => |R11 | syntax | |
R11 => R11| | syntax | |
R11 => --R11 | syntax | -
R11 => |-R11| | syntax | -
R12 => ||R12|| | syntax | |
R12 => R | wrong-operand | R
R11 =>  | syntax | ,
R10, => R10 | syntax | R11
R11, => R11,, | syntax | ,
R11 => R11 + 1 | syntax | +
R12 => [R12] | syntax | [
R11 => X11 | wrong-operand | X11
"""

# {x} is the letter of the selectors of the family, {y} the letter of the other family, and {name}
# the mnemonic.
VIDEO_SWAPS = """
r10 => r255 | out-of-range | r255
r11 => r256 | out-of-range | r256
r12 => r999 | out-of-range | r999
r13 => r255 | out-of-range | r255
r10 => R10 | wrong-operand | R10
r11 => RZ | wrong-operand | RZ
r12 => ur1 | wrong-operand | ur1
r12 => UR1 | wrong-operand | UR1
r12 => c[0x0][0x0] | wrong-operand | c[
r13 => p1 | wrong-operand | p1
r12 => 1 | wrong-operand | 1
r13 => 0 | wrong-operand | 0
r11 => 0x1234 | wrong-operand | 0x1234
r11 => -r11 | wrong-operand | -
r12 => |r12| | wrong-operand | |
r13 => -r13 | wrong-operand | -
r12 => !r12 | wrong-operand | !
r13 => r13.{x}10 | wrong-operand | {x}10
r11 => r11.H1_H0 | unknown-modifier | H1_H0
r10 => r10.{x} | unknown-modifier | {x}
r11 => r11.{x} | unknown-modifier | {x}
r10 => r10.{x}00 | unknown-modifier | {x}00
r10 => r10.{x}01 | unknown-modifier | {x}01
r10 => r10.{y}0 | unknown-modifier | {y}0
r11 => r11.{y}1010 | unknown-modifier | {y}1010
r11 => r11.{x}0 | unknown-modifier | {x}0
r12 => r12.{x}00000 | unknown-modifier | {x}00000
r12 => r12.{x}8888 | unknown-modifier | {x}8888
r10 => r10.{x}0.{x}1 | duplicate-modifier | {x}1
, r13 =>  | wrong-operand | ;
r13 => r13, r14 | wrong-operand | r14
r11,  => r11  | syntax | r12
.u32.s32.u32 => .u32.s32 | missing-modifier | btype
.u32.s32.u32 =>  | missing-modifier | dtype
.u32.s32.u32 => .u32.s32.u32.u32 | duplicate-modifier | u32
.u32.s32.u32 => .u32.s32.u32.sat.sat | duplicate-modifier | sat
.u32.s32.u32 => .u32.s32.u32.add.add | duplicate-modifier | add
.u32.s32.u32 => .u32.s32.u32.sat.add | illegal-combination | sat
.u32.s32.u32 => .add.sat.u32.s32.u32 | illegal-combination | sat
.u32.s32.u32 => .u32.s32.u16 | unknown-modifier | u16
.u32.s32.u32 => .U32.S32.U32 | unknown-modifier | U32
.u32.s32.u32 => .u32.s32.u32.min | unknown-modifier | min
.u32.s32.u32 => .u32.s32.u32.SAT | unknown-modifier | SAT
{name} => @p7 {name} | out-of-range | p7
{name} => @P0 {name} | wrong-operand | P0
{name} => @r0 {name} | wrong-operand | r0
{name} => x{name} | unknown-mnemonic | x{name}
; =>  | syntax | ;
; =>  ?WAIT16; | out-of-range | 16
; =>  &req={6}; | out-of-range | 6
"""

# Modifiers that are inserted after the mnemonic of the plain instruction.
ADDED_MODS = """
HADD2 => .RN.RM | duplicate-modifier | RM
HADD2 => .F32.F32 | duplicate-modifier | F32
HADD2 => .RN.RN | duplicate-modifier | RN
HMUL2 => .SAT.SAT | duplicate-modifier | SAT
HFMA2 => .RELU.RELU | duplicate-modifier | RELU
HADD2 => .F16_V2.BF16_V2 | duplicate-modifier | BF16_V2
HMUL2 => .F16_V2.F16_V2 | duplicate-modifier | F16_V2
HMNMX2 => .NAN.NAN | duplicate-modifier | NAN
HSETP2 => .EQ | duplicate-modifier | EQ
HSETP2 => .LT | duplicate-modifier | LT
HSETP2 => .OR | duplicate-modifier | OR
HSET2 => .BM.BF | duplicate-modifier | BF
HSET2 => .AND | duplicate-modifier | AND
HSET2 => .NAN | duplicate-modifier | NAN
HADD2 => .BF16_V2.FTZ | illegal-combination | BF16_V2
HADD2 => .SAT.BF16_V2 | illegal-combination | BF16_V2
HADD2 => .BF16_V2.FTZ.SAT | illegal-combination | BF16_V2
HMUL2 => .BF16_V2.FTZ | illegal-combination | BF16_V2
HMUL2 => .BF16_V2.SAT | illegal-combination | BF16_V2
HFMA2 => .BF16_V2.FTZ | illegal-combination | BF16_V2
HFMA2 => .BF16_V2.SAT | illegal-combination | BF16_V2
HFMA2 => .RELU.SAT | illegal-combination | RELU
HFMA2 => .FTZ.SAT.RELU.RP | illegal-combination | RELU
HFMA2 => .BF16_V2.RELU.FTZ | illegal-combination | BF16_V2
"""

HALU_LINES = """
HFMA2 R0, R1, UR2, UR3; | wrong-operand | UR3
HFMA2 R0, R1, 1, 2, 3, 4; | wrong-operand | 3
HFMA2 R0, R1, c[0x0][0x0], c[0x0][0x4]; | wrong-operand | c[
HFMA2 R0, R1, UR2, c[0x0][0x4]; | wrong-operand | c[
HFMA2 R0, R1, c[0x0][0x4], UR2; | wrong-operand | UR2
HFMA2 R0, R1, UR2, 1, 2; | wrong-operand | 1
HFMA2 R0, R1, 1, 2, UR2; | wrong-operand | UR2
HFMA2 R0, R1, c[0x0][0x4], 1, 2; | wrong-operand | 1
HFMA2 R0, R1, 1, 2, c[0x0][0x4]; | wrong-operand | c[
HFMA2 R0, UR1, R2, R3; | wrong-operand | UR1
HFMA2 R0, R1, R2; | wrong-operand | ;
HFMA2 R0, R1, R2, R3, R4; | wrong-operand | R4
HFMA2 R0, R1, R2, P0; | wrong-operand | P0
HADD2 R0, R1; | wrong-operand | ;
HADD2 R0; | wrong-operand | ;
HADD2; | syntax | ;
HADD2 R0, R1, R2, R3; | wrong-operand | R3
HADD2 R0, R1, R2, P0; | wrong-operand | P0
HADD2 R0, R1, R2,; | syntax | ;
HMNMX2 R0, R1, R2; | wrong-operand | ;
HMNMX2 R0, R1, R2, P0, P1; | wrong-operand | P1
HMNMX2 R0, R1, 1, P0; | wrong-operand | P0
HMNMX2 R0, R1, R2, UP0; | wrong-operand | UP0
HSETP2.LT.AND P0, R1, R2; | wrong-operand | R1
HSETP2.LT.AND R0, R1, R2; | wrong-operand | R0
HSETP2.LT.AND P0, P1, R1; | wrong-operand | ;
HSETP2.LT.AND P0, P1, R1, R2, P3, P4; | wrong-operand | P4
HSETP2.LT.AND P0, P1, R1, R2, -P3; | wrong-operand | -
HSETP2.LT.AND P0, P1, R1, R2, P7; | out-of-range | P7
HSET2.LT.AND R0, R1, R2, R3; | wrong-operand | R3
HSET2.LT.AND R0, R1, 1, 2, 3; | wrong-operand | 3
HSETP2.LT P0, P1, R1, R2; | missing-modifier | lop
HSETP2.AND P0, P1, R1, R2; | missing-modifier | cmp
HSETP2 P0, P1, R1, R2; | missing-modifier | cmp
HSETP2.FTZ P0, P1, R1, R2; | missing-modifier | cmp
HSET2.LT R0, R1, R2; | missing-modifier | lop
HSET2.OR.BF R0, R1, R2; | missing-modifier | cmp
HSET2 R0, R1, R2, P0; | missing-modifier | cmp
HSETP2.T.AND P0, P1, R1, R2; | unknown-modifier | T
HSET2.LT.NAND R0, R1, R2; | unknown-modifier | NAND
@P7 HADD2 R0, R1, R2; | out-of-range | P7
@R0 HADD2 R0, R1, R2; | wrong-operand | R0
@!!P0 HADD2 R0, R1, R2; | wrong-operand | !
@ HADD2 R0, R1, R2; | wrong-operand | HADD2
@p0 HADD2 R0, R1, R2; | wrong-operand | p0
@P0 @P1 HADD2 R0, R1, R2; | unknown-mnemonic | @
P0 HADD2 R0, R1, R2; | unknown-mnemonic | P0
@-P0 HADD2 R0, R1, R2; | wrong-operand | -
HADD2 R0, R1, R2 ?WAIT16; | out-of-range | 16
HADD2 R0, R1, R2 ?WAIT; | syntax | WAIT
HADD2 R0, R1, R2 ?wait4; | syntax | wait
HADD2 R0, R1, R2 ?WAIT1 ?WAIT2; | syntax | WAIT
HADD2 R0, R1, R2 &req={6}; | out-of-range | 6
HADD2 R0, R1, R2 &req={0,63}; | out-of-range | 63
HADD2 R0, R1, R2 &req={0; | syntax | }
HADD2 R0, R1, R2 &req=0; | syntax | {
HADD2 R0, R1, R2 &req={0} &req={1}; | syntax | req
HADD2 R0, R1, R2, ?WAIT1; | syntax | ?
HADD2 R0, R1, R2 &wr=0; | syntax | &
?WAIT1 HADD2 R0, R1, R2; | unknown-mnemonic | ?
HADD3 R0, R1, R2; | unknown-mnemonic | HADD3
HADD R0, R1, R2; | unknown-mnemonic | HADD
FADD R0, R1, R2; | unknown-mnemonic | FADD
HADD2_RR R0, R1, R2; | unknown-mnemonic | HADD2_RR
HADD22 R0, R1, R2; | unknown-mnemonic | HADD22
; HADD2 R0, R1, R2; | unknown-mnemonic | ;
HADD2. R0, R1, R2; | unknown-modifier | R0
HADD2..FTZ R0, R1, R2; | unknown-modifier | .
HADD2 R0 R1 R2; | syntax | R1
HADD2, R0, R1, R2; | syntax | ,
HADD2 R0, R1, R2: | syntax | :
HADD2 R0, R1, R2\\nHADD2 R0, R1, R2; | syntax | HADD2
HADD2 R0, R1, R2; HADD2 R0, R1, R2 | syntax | ;
HADD2 R0, R1, R2 /* open ; | syntax | comment
HADD2 R0, R1, R2 // ; | syntax | ;
HADD2 R0, R1, # R2; | syntax | #
HADD2 R0, R1, 0x7f7fffff; | wrong-operand | lane
HADD2 R0, R1, 0x7f7fffff, 0; | bad-immediate | 0x7f7fffff
HADD2.BF16_V2 R0, R1, 3.4e38, 0; | bad-immediate | 3.4e38
HADD2.BF16_V2 R0, R1, 0, -1e39; | bad-immediate | -1e39
HADD2.BF16_V2 R0, R1, 339617752923046005526922703901628039168, 0; | bad-immediate | 3396177529
HFMA2 R0, R1, R2, 65520, 0; | bad-immediate | 65520
HFMA2 R0, R1, 0, 70000, R2; | bad-immediate | 70000
"""

VIDEO_LINES = """
vmin4.s32.u32.u32.add r1.b00, r2.b0000, r3.b2222, r1; | unknown-modifier | b00
vadd2.s32.s32.s32 r1, r2.h04, r3, r1; | unknown-modifier | h04
vadd2.s32.s32.s32 r1.h2, r2, r3, r1; | unknown-modifier | h2
vadd4.s32.s32.s32 r1.b4, r2, r3, r1; | unknown-modifier | b4
vadd4.s32.s32.s32 r1.b0123, r2, r3, r1; | unknown-modifier | b0123
vadd4.s32.s32.s32 r1.b310.b2, r2, r3, r1; | duplicate-modifier | b2
vadd4.s32.s32.s32 r1.b3310, r2, r3, r1; | unknown-modifier | b3310
vadd2.s32.s32.s32 r1.h10x, r2, r3, r1; | unknown-modifier | h10x
vadd.s32.s32.s32 r1, r2, r3, r1; | unknown-mnemonic | vadd
vadd3.s32.s32.s32 r1, r2, r3, r1; | unknown-mnemonic | vadd3
vset4.s32.s32.s32 r1, r2, r3, r1; | unknown-mnemonic | vset4
VADD2.s32.s32.s32 r1, r2, r3, r1; | unknown-mnemonic | VADD2
vadd2.s32.s32.s32 -r1, r2, r3, r1; | wrong-operand | -
"""


def rows(block):
    """Returns (text, category, mention) of each line."""
    return [tuple(line.rsplit(" | ", 2)) for line in block.strip("\n").split("\n")]


def swaps(block):
    """Returns (old, new, category, mention) of each line."""
    return [(*text.split(" => "), category, mention) for text, category, mention in rows(block)]
