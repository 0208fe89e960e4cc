isa_core::define_isa! {
    /// The instruction set that `prose.txt` defines.
    pub isa Counters: u16; /* name and width are not in the source */

    /// A general register.
    operand Reg: 8 = isa_core::operand::Reg; /* not in the source */

    /// The values of `Action` that the source names.
    enum Action: 4 { STEP = 0, BACK = 1 } /* the numbers are not in the source */

    /// The values of `Wrap` that the source names.
    enum Wrap: 1 { NoWRAP = 0, WRAP = 1 } /* the numbers are not in the source */

    // Prose in Chinese: tables, lists, code, links and paragraphs of several lines.
    /// 计数器指令的公共部分。
    group COUNTERS {
        encoding {
            field<0, 4> Action action;
            field<8, 8> Reg    rd;
        }
    }

    /// 把计数器加一，越界时停在最大值。参考[`BACK`]和JUMP指令，以及回绕规则（[`BACK`]）与跳转规则。
    ///
    /// # OperandInfo
    ///
    /// Rd保存计数器的值，.WRAP对它没有其他要求。
    ///
    /// | 计数器 | 位宽 |
    /// |:--:|---:|
    /// | Rd\[15:0] | 16 |
    /// | Rd\[31:16] | `16` |
    ///
    /// # ModifierInfo
    ///
    /// - .WRAP表示越界之后从零开始
    /// - 缺省时不回绕
    ///
    /// # Semantics
    ///
    /// ```asm
    /// // 越界
    /// if (rd == 0xbeef) rd = wrap ? 0 : 0xbeef;
    /// ```
    ///
    /// # Timing
    ///
    /// 每条指令<2>个周期。
    ///
    /// # Simulation
    ///
    /// ```text
    /// next = step(rd,
    ///             wrap);
    /// ```
    optype STEP : [COUNTERS] {
        encoding {
            action == STEP;
            field<4, 1> Wrap wrap = NoWRAP;
        }
        syntax { STEP{.WRAP} Rd; }
        operands { OutList<rd>; }
    }

    /// 只有一个寄存器。
    opcode STEP_R : [STEP] {}

    /// 把计数器减一。
    optype BACK : [COUNTERS] {
        encoding { action == BACK; }
        syntax { BACK Rd; }
        operands { OutList<rd>; }
    }

    /// 反向操作是[`STEP_R`]。
    opcode BACK_R : [BACK] {}
}
