//! Patches a file of CUDA. Needs `ptxas`, `nvdisasm` and `cuobjdump`:
//!
//! ```sh
//! cargo test -p isa-sass --features cli --test patch -- --ignored
//! ```

use std::fs;
use std::path::Path;
use std::process::Command;

use isa_cli::{Io, Status};

/// A kernel that adds two pairs of 16-bit floats.
const KERNEL: &str = "\
.version 8.7
.target sm_CHIP
.address_size 64
.visible .entry add(.param .u64 p) {
    .reg .b64 %rd<3>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    ld.global.u32 %r2, [%rd2+4];
    add.f16x2 %r3, %r1, %r2;
    st.global.u32 [%rd2+8], %r3;
    ret;
}
";

fn sass(args: &[&str]) -> (Status, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = isa_sass::tool().run(args, Io::of(&mut &b""[..], &mut out, &mut err));
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Returns the output of one of NVIDIA's tools, which must accept its arguments.
fn run(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the text of the instruction at an address in the output of a disassembler.
fn text_at<'l>(listing: &'l str, address: &str) -> &'l str {
    let line = listing.lines().find(|line| line.contains(address)).unwrap();
    let text = line.split(address).nth(1).unwrap();
    text.split(';').next().unwrap().trim()
}

#[test]
#[ignore = "needs ptxas, nvdisasm and cuobjdump"]
fn nvidia_s_tools_accept_a_patched_file() {
    let folder = std::env::temp_dir().join(format!("sass-patch-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for chip in ["75", "80", "86", "89", "90", "100", "120"] {
        let [source, old, new] = ["k.ptx", "old.cubin", "new.cubin"].map(path);
        fs::write(&source, KERNEL.replace("CHIP", chip)).unwrap();
        run("ptxas", &[&format!("-arch=sm_{chip}"), &source, "-o", &old]);
        let before = run("nvdisasm", &["-c", &old]);
        // The instruction with the sum.
        let sum = before.lines().find(|line| line.contains("HADD2 ") || line.contains("HFMA2"));
        let address = &sum.unwrap().trim_start()[..8];
        let place = format!("add+0x{}", &address[2..6]);
        let text = "HMUL2.SAT R5, -R0.H1_H1, |R6| ?stall=5";
        let (status, report, error) = sass(&["patch", &old, "--at", &place, text, "-o", &new]);
        assert_eq!((status, error.as_str()), (Status::Success, ""));
        assert_eq!(report.lines().count(), 2);

        // Only the 16 bytes of the instruction differ.
        let [bytes, changed] = [&old, &new].map(|path| fs::read(Path::new(path)).unwrap());
        let differing: Vec<usize> =
            (0..bytes.len()).filter(|&at| bytes[at] != changed[at]).collect();
        assert_eq!(bytes.len(), changed.len());
        assert!(differing.last().unwrap() - differing[0] < 16, "sm_{chip}: {differing:?}");

        let after = run("nvdisasm", &["-c", &new]);
        assert_eq!(text_at(&after, address), "HMUL2.SAT R5, -R0.H1_H1, |R6|", "sm_{chip}");
        let others = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.contains(address));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(others(&before), others(&after), "sm_{chip}");
        let dump = run("cuobjdump", &["-sass", &new]);
        assert_eq!(text_at(&dump, address), "HMUL2.SAT R5, -R0.H1_H1, |R6|", "sm_{chip}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
