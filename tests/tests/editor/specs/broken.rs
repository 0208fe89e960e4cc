
    /// A field whose type is not declared.
    opcode ABS_R : [ALU] {
        encoding { field<0, 3> Op op == ABS; field<21, 1> Roundness round = Up; }
        syntax { ABS{.round} Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics { Rd = Ra.value; }
    }

    /// With a field that lacks its name.
    opcode NOT_R : [ALU] {
        encoding { field<0, 3> Op == NOT; }
        syntax { NOT Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics { Rd = !Ra.value; }
    }
