//! Tests the rules about aliases that share words: the specification must declare, once, which one
//! is printed.

use super::faults;

/// Returns the errors of a set that has an opcode with three fields and these aliases of it.
fn toy(aliases: &str) -> Vec<String> {
    faults(&format!(
        "pub isa Toy: u32;
         operand Reg: 8; operand Imm: 8;
         enum Op: 4 {{ ADD = 1, SUB = 2 }}
         group WORD {{
             encoding {{
                 field<0, 4> Op op; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Imm imm;
             }}
             syntax {{ .. Rd, Ra, imm; }}
         }}
         opcode ADD : [WORD] {{ encoding {{ op == ADD; }} syntax {{ ADD }} }}
         opcode SUB : [WORD] {{ encoding {{ op == SUB; }} syntax {{ SUB }} }}
         {aliases}"
    ))
}

/// Returns the first lines of the errors, without those that only name a second place.
fn told(aliases: &str) -> Vec<String> {
    let faults = toy(aliases);
    let first = |fault: &String| fault.lines().next().unwrap_or_default().to_owned();
    faults.iter().filter(|fault| fault.contains('\n')).map(first).collect()
}

/// Returns an alias of `ADD` that fixes these fields to 0 and is declared `before` other aliases.
fn alias(name: &str, fixed: &str, before: &str) -> String {
    let fields: String = fixed.split_whitespace().map(|field| format!("{field} == 0; ")).collect();
    let before = if before.is_empty() { String::new() } else { format!("before {before}") };
    format!(
        "alias {name} of ADD {before} {{ encoding {{ {fields} }} syntax {{ {name} Rd, Ra, imm; }} }}"
    )
}

#[test]
fn of_two_that_meet_one_is_said_to_come_first() {
    let (one, two) = (alias("ONE", "imm", ""), alias("TWO", "ra", ""));
    let unsaid = "[ISA0042] `TWO` and `ONE` both match 0x00000001, and no `before` decides which \
                  is printed";
    assert_eq!(told(&(one.clone() + &two)), [unsaid]);
    assert_eq!(told(&(alias("ONE", "imm", "TWO") + &two)), [""; 0]);
    assert_eq!(told(&(one.clone() + &alias("TWO", "ra", "ONE"))), [""; 0]);
    let special = alias("TWO", "imm ra", "");
    assert_eq!(told(&(one.clone() + &special)), [""; 0], "one with fewer words comes first");
    assert_eq!(told(&(special + &one)), [""; 0], "one with fewer words comes first");
    let of_another = two.replace("of ADD", "of SUB");
    assert_eq!(told(&(one + &of_another)), [""; 0], "they have no word in common");
}

#[test]
fn one_between_two_settles_the_two() {
    let all = |second: &str| {
        alias("ONE", "imm", "TWO") + &alias("TWO", "ra", second) + &alias("SIX", "rd", "")
    };
    assert_eq!(told(&all("SIX")), [""; 0], "`ONE` comes before `TWO`, and that before `SIX`");
    let faults = told(&all(""));
    assert_eq!(faults.len(), 2, "{faults:#?}");
    let reversed =
        alias("SIX", "rd", "") + &alias("TWO", "ra", "SIX") + &alias("ONE", "imm", "TWO");
    assert_eq!(told(&reversed), [""; 0], "the order of the items does not count");
}

#[test]
fn nothing_comes_before_itself() {
    let ring = alias("ONE", "imm", "TWO") + &alias("TWO", "ra", "SIX") + &alias("SIX", "rd", "ONE");
    let fault = "[ISA0042] `ONE` is declared `before` aliases that are declared `before` `ONE`";
    assert_eq!(told(&ring), [fault]);
    // If each of two aliases comes before the other, the message names both.
    let faults = told(&(alias("ONE", "imm", "TWO") + &alias("TWO", "ra", "ONE")));
    assert_eq!(faults, ["[ISA0042] `TWO` and `ONE` are each declared `before` the other"]);
}

#[test]
fn one_with_a_fault_of_its_own_leaves_the_order_alone() {
    let broken = alias("TWO", "ra", "").replace("== 0", "== 256");
    let faults = told(&(alias("ONE", "imm", "TWO") + &broken));
    assert!(faults.len() <= 1 && toy(&broken).len() == 1, "{faults:#?}");
    let (alone, both) = (toy(&broken), toy(&(alias("ONE", "imm", "TWO") + &broken)));
    assert_eq!(alone, both);
}
