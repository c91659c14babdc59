//! The macros built into the binary, so that some are there wherever it runs.

use include_dir::{Dir, File, include_dir};

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/macro_definitions");

/// Where bundled files seem to lie.
pub const PREFIX: &str = "bundled:/";

/// Every bundled file: its path below [`PREFIX`], and its bytes; sorted by path.
pub fn files() -> Vec<(&'static str, &'static [u8])> {
    let mut files = Vec::new();
    collect(&FOLDER, &mut files);
    files.sort_unstable();
    files
}

/// The bytes of a bundled file.
pub fn get(path: &str) -> Option<&'static [u8]> {
    FOLDER.get_file(path).map(File::contents)
}

/// The folder is ours, so that recursion ends.
fn collect(folder: &'static Dir<'static>, files: &mut Vec<(&'static str, &'static [u8])>) {
    files.extend(folder.files().filter_map(|file| Some((file.path().to_str()?, file.contents()))));
    folder.dirs().for_each(|inner| collect(inner, files));
}
