//! How the program is linked; it is no folder `build/`, which is where `macrocli build` writes to.

fn main() {
    println!("cargo::rerun-if-changed=link.rs");
    let is = |name: &str, wanted: &str| std::env::var(name).is_ok_and(|value| value == wanted);
    // A program that may be loaded anywhere has every address in its tables written into memory each time it starts, before its first
    // line: 23,000 of them, on pages that most runs never look at. A one-step run has 3 ms in all, and this was a sixth of that.
    // Libraries, heap and stacks are still where nobody can foresee.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
