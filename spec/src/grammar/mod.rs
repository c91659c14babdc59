//! Small grammars both the compiler (to check early) and the machine (to execute) read.

pub mod xml_name;
pub mod xpath;
