//! SIMD operations on two vectors of integers, lane by lane.

use super::machine::{each_lane, pairs, shift};

isa_core::define_isa! {
    /// Operations on two vectors of integers, lane by lane.
    pub isa Simd: u32;

    use crate::base::Base;

    /// A 128-bit register.
    operand V: 5 = crate::reg::V;
    /// The number and size of the lanes. The upper bits encode the size, and the lowest bit is 1
    /// for all 128 bits of the register.
    enum Lanes: 3 { "8b" = 0, "16b" = 1, "4h" = 2, "8h" = 3, "2s" = 4, "4s" = 5, "2d" = 7 }
    /// The number of byte lanes.
    enum Bytes: 1 { "8b" = 0, "16b" = 1 }
    format TwiceV = isa_core::operand::Duplicated<crate::base::V>;

    /// An operation on two vectors, with the result in a third.
    group VECTOR {
        encoding {
            field<31, 1> Bits1 top == 0; field<29, 1> Bits1 u; field<24, 5> Bits5 class == 0b01110;
            field<21, 1> Bits1 o21 == 1; field<16, 5> V vm; field<11, 5> Bits5 op; field<10, 1> Bits1 o10 == 1;
            field<5, 5> V vn; field<0, 5> V vd;
        }
    }
    /// An operation on lanes of any size.
    group SIZED : [VECTOR] {
        encoding { field<22, 2 : 30, 1> Lanes lanes; }
        syntax   { .. vd.lanes, vn.lanes, vm.lanes; }
        operands { InList<vn, vm>; OutList<vd>; }
    }
    for $OP, $U, $OPC, $RESULT in (add, 0, 16, a.wrapping_add(b)), (sub, 1, 16, a.wrapping_sub(b)),
        (cmgt, 0, 6, -i64::from(a > b)), (cmhi, 1, 6, -i64::from(a as u64 > b as u64)),
        (cmge, 0, 7, -i64::from(a >= b)), (cmhs, 1, 7, -i64::from(a as u64 >= b as u64)),
        (cmtst, 0, 17, -i64::from(a & b != 0)), (cmeq, 1, 17, -i64::from(a == b)),
        (sshl, 0, 8, shift(a, b, false)), (ushl, 1, 8, shift(a, b, true))
    {
        /// Computes `$OP` of each lane.
        opcode $OP : [SIZED] {
            encoding  { u == $U; op == $OPC; }
            syntax    { $OP }
            semantics { vd = each_lane(lanes.to_bits(), u.get() == 0, [vn.value, vm.value, 0], |a, b, _| $RESULT); }
        }
    }
    for $OP, $U, $OPC, $RESULT in (shadd, 0, 0, (a + b) >> 1), (uhadd, 1, 0, (a + b) >> 1),
        (srhadd, 0, 2, (a + b + 1) >> 1), (urhadd, 1, 2, (a + b + 1) >> 1),
        (shsub, 0, 4, (a - b) >> 1), (uhsub, 1, 4, (a - b) >> 1),
        (smax, 0, 12, a.max(b)), (umax, 1, 12, a.max(b)), (smin, 0, 13, a.min(b)), (umin, 1, 13, a.min(b)),
        (sabd, 0, 14, (a - b).abs()), (uabd, 1, 14, (a - b).abs()), (mul, 0, 19, a.wrapping_mul(b))
    {
        /// Computes `$OP` of each lane of at most 32 bits.
        opcode $OP : [SIZED] {
            encoding  { u == $U; op == $OPC; where lanes != "2d"; }
            syntax    { $OP }
            semantics { vd = each_lane(lanes.to_bits(), u.get() == 0, [vn.value, vm.value, 0], |a, b, _| $RESULT); }
        }
    }
    for $OP, $U, $OPC, $RESULT in (saba, 0, 15, d + (a - b).abs()), (uaba, 1, 15, d + (a - b).abs()),
        (mla, 0, 18, d.wrapping_add(a.wrapping_mul(b))), (mls, 1, 18, d.wrapping_sub(a.wrapping_mul(b)))
    {
        /// Computes `$OP` of each lane, with the destination as the accumulator.
        opcode $OP : [SIZED] {
            encoding  { u == $U; op == $OPC; where lanes != "2d"; }
            syntax    { $OP }
            operands  { InList<vd, vn, vm>; }
            semantics { vd = each_lane(lanes.to_bits(), u.get() == 0, [vn.value, vm.value, vd], |a, b, d| $RESULT); }
        }
    }
    /// Computes the sum of each pair of adjacent lanes.
    opcode addp : [SIZED] {
        encoding  { u == 0; op == 23; }
        syntax    { addp }
        semantics { vd = pairs(lanes.to_bits(), true, vn.value, vm.value, i64::wrapping_add); }
    }
    for $OP, $U, $OPC, $FN in (smaxp, 0, 20, max), (umaxp, 1, 20, max), (sminp, 0, 21, min), (uminp, 1, 21, min) {
        /// Computes the maximum or minimum of each pair of adjacent lanes.
        opcode $OP : [SIZED] {
            encoding  { u == $U; op == $OPC; where lanes != "2d"; }
            syntax    { $OP }
            semantics { vd = pairs(lanes.to_bits(), u.get() == 0, vn.value, vm.value, i64::$FN); }
        }
    }

    /// A bitwise operation.
    group LOGIC : [VECTOR] {
        encoding { op == 3; field<30, 1> Bytes lanes; field<22, 2> Bits2 size; }
        syntax   { .. vd.lanes, vn.lanes, vm.lanes; }
        operands { InList<vn, vm>; OutList<vd>; }
    }
    for $OP, $U, $SIZE, $RESULT in (and, 0, 0, vn.value & vm.value), (bic, 0, 1, vn.value & !vm.value),
        (orr, 0, 2, vn.value | vm.value), (orn, 0, 3, vn.value | !vm.value), (eor, 1, 0, vn.value ^ vm.value)
    {
        /// Computes bitwise `$OP`.
        opcode ${OP}_V : [LOGIC] {
            encoding  { u == $U; size == $SIZE; }
            syntax    { $OP }
            semantics { vd = lanes.of($RESULT); }
        }
    }
    for $OP, $SIZE, $RESULT in (bsl, 1, vd & vn.value | !vd & vm.value),
        (bit, 2, vn.value & vm.value | vd & !vm.value), (bif, 3, vn.value & !vm.value | vd & vm.value)
    {
        /// Selects each bit from one of two vectors, as a third vector specifies.
        opcode ${OP}_V : [LOGIC] {
            encoding  { u == 1; size == $SIZE; }
            syntax    { $OP }
            operands  { InList<vd, vn, vm>; }
            semantics { vd = lanes.of($RESULT); }
        }
    }
    alias mov_V of orr_V {
        encoding { where vn == vm; }
        syntax   { mov vd.lanes, source.lanes; }
        operands { AsmFormat<source: vn, vm> = TwiceV(); }
    }
}

impl Bytes {
    /// Returns the low 8 or all 16 bytes of a vector.
    #[inline]
    const fn of(self, vector: u128) -> u128 {
        match self {
            Bytes::_8b => vector as u64 as u128,
            Bytes::_16b => vector,
        }
    }
}
