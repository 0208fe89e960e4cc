
    /// An opcode whose semantics end in a dot.
    opcode ABS_R : [ALU] {
        encoding { field<0, 3> Op op == ABS; }
        syntax { ABS Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics { Rd = Ra. }
    }

    /// Cut in a field, in a list, and in the name of a section.
    opcode NOT_R : [ALU] {
        encoding { field<0, 3> Op op == NOT; field<21, 8> Reg r }
        syntax { NOT Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, }
        sema
    }
