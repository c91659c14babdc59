//! Paths as texts: nothing here touches a file system.

/// What the artifact calls the file `path` of a macro in the folder `prefix`: forward slashes, without `.` and `folder/..`.
///
/// A path that does not start at the macro's folder keeps its start.
pub fn key(prefix: &str, path: &str) -> String {
    normal(&join(prefix, path))
}

/// `path`, seen from `folder`.
pub fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() || is_rooted(path) { path.to_owned() } else { format!("{folder}/{path}") }
}

/// The folder of a file, with either kind of slash.
pub fn folder(path: &str) -> &str {
    match path.rfind(['/', '\\']) {
        Some(0) => path.get(..1).unwrap_or_default(),
        Some(at) => path.get(..at).unwrap_or_default(),
        None => "",
    }
}

/// Absolute on some system, or in the home folder: relative to nothing.
fn is_rooted(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    drive || path.starts_with(['/', '\\']) || path == "~" || path.starts_with("~/") || path.starts_with("~\\")
}

fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                // What lies above the home folder or a relative start is not known.
                None if absolute => {}
                None | Some(&".." | &"~") => parts.push(part),
                Some(_) => drop(parts.pop()),
            },
            name => parts.push(name),
        }
    }
    let start = if absolute { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use crate::assets::path::{folder, key};

    #[test]
    fn one_file_has_one_key() {
        let cases = [
            ("", "a.png", "a.png"),
            ("", "./a.png", "a.png"),
            ("", "img//b/../a.png", "img/a.png"),
            ("", r"img\a.png", "img/a.png"),
            ("sub", "../a.png", "a.png"),
            ("sub/b", "x/a.png", "sub/b/x/a.png"),
            ("", "../../a.png", "../../a.png"),
            ("sub", "/abs/./a.png", "/abs/a.png"),
            ("sub", "/../a.png", "/a.png"),
            ("sub", "~/a.png", "~/a.png"),
            ("sub", "~/../a.png", "~/../a.png"),
            ("sub", "~a/x.png", "sub/~a/x.png"),
            ("sub", r"C:\a.png", "C:/a.png"),
        ];
        for (prefix, path, expected) in cases {
            assert_eq!(key(prefix, path), expected, "{prefix} {path}");
        }
    }

    #[test]
    fn the_folder_of_a_file_at_the_root_is_the_root() {
        assert_eq!([folder("a"), folder("a/b"), folder("/a"), folder(r"a\b")], ["", "a", "/", "a"]);
    }
}
