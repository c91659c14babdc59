//! Every rule on real files; those about rights and umasks in processes of their own.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::edit::file::home::expand_with;
use crate::edit::file::{
    DOCUMENT_LIMIT, FileError, FileErrorKind, Observation, contains, copy, delete_file, make_dir, observe, read, write,
};
use crate::edit::never;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: &[u8], mode: u32) -> PathBuf {
        let path = self.at(name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn kind(result: Result<impl std::fmt::Debug, FileError>) -> FileErrorKind {
    result.unwrap_err().kind
}

/// Runs an ignored test of this file in a process of its own: `nobody` without root's rights, under a umask.
fn child(test: &str, umask: &str, nobody: bool) {
    // A file may grow to 64 blocks; beyond, a write fails as on a full disk.
    let script = "umask $1; trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact --ignored --test-threads=1 \"$2\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command.arg(std::env::current_exe().unwrap()).args([umask, &format!("edit::file::tests::{test}")]);
    command.env("MACROCLI_TEST_UMASK", umask).env_remove("TMPDIR").current_dir("/");
    if nobody && is_root() {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
fn links_stay_and_their_targets_change() {
    let folder = Folder::new();
    fs::create_dir(folder.at("real")).unwrap();
    let real = folder.file("real/app.json", b"old", 0o600);
    symlink("../second", folder.at("real/second")).unwrap();
    symlink("real/app.json", folder.at("second")).unwrap();
    symlink("real/second", folder.at("first")).unwrap();
    assert_eq!(write(&folder.at("first"), b"new"), Ok(true));
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert_eq!(mode(&real), 0o600);
    for link in ["first", "second", "real/second"] {
        assert!(folder.at(link).is_symlink());
    }
    assert_eq!(folder.names(), ["first", "real", "second"]);
    assert_eq!(fs::read_dir(folder.at("real")).unwrap().count(), 2);
}

#[test]
fn dangling_links_get_their_target() {
    let folder = Folder::new();
    symlink("later", folder.at("link")).unwrap();
    symlink("no/later", folder.at("far")).unwrap();
    symlink("loop", folder.at("loop")).unwrap();
    write(&folder.at("link"), b"x").unwrap();
    assert!(folder.at("link").is_symlink());
    assert_eq!(fs::read(folder.at("later")).unwrap(), b"x");
    assert_eq!(kind(write(&folder.at("far"), b"x")), FileErrorKind::MissingFolder(folder.at("no")));
    assert_eq!(kind(write(&folder.at("loop"), b"x")), FileErrorKind::LinkLoop);
    assert_eq!(folder.names(), ["far", "later", "link", "loop"]);
}

#[test]
fn modes_survive_any_umask() {
    for umask in ["077", "000", "022"] {
        child("modes_under_this_umask", umask, false);
    }
}

#[test]
#[ignore = "run by `modes_survive_any_umask` in a process of its own"]
fn modes_under_this_umask() {
    if std::env::var_os("MACROCLI_TEST_UMASK").is_none() {
        return;
    }
    let umask = u32::from_str_radix(&std::env::var("MACROCLI_TEST_UMASK").unwrap(), 8).unwrap();
    let folder = Folder::new();
    for bits in [0o600, 0o755, 0o444, 0o640, 0o666, 0o4755] {
        let path = folder.file("file", b"old", bits);
        write(&path, b"new").unwrap();
        assert_eq!(mode(&path), bits);
        let copied = folder.at("copy");
        copy(&path, &copied, &never).unwrap();
        assert_eq!(mode(&copied), bits & 0o777);
        fs::remove_file(&path).unwrap();
    }
    write(&folder.at("new"), b"x").unwrap();
    assert_eq!(mode(&folder.at("new")), 0o666 & !umask);
    copy(Path::new("/dev/null"), &folder.at("empty"), &never).unwrap();
    assert_eq!(mode(&folder.at("empty")), 0o666 & !umask);
}

#[test]
fn equal_content_is_not_written() {
    let folder = Folder::new();
    let path = folder.file("file", b"same", 0o644);
    let before = fs::metadata(&path).unwrap();
    assert_eq!(write(&path, b"same"), Ok(false));
    let after = fs::metadata(&path).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    assert_eq!(write(&path, b"diff"), Ok(true));
}

#[test]
fn files_with_several_names_are_written_in_place() {
    let folder = Folder::new();
    let path = folder.file("file", b"old content", 0o644);
    fs::hard_link(&path, folder.at("other")).unwrap();
    for bytes in [&b"new"[..], b"much longer than it was before", b""] {
        write(&path, bytes).unwrap();
        assert_eq!(fs::read(folder.at("other")).unwrap(), bytes);
    }
    assert_eq!(folder.names(), ["file", "other"]);
}

#[test]
fn special_files_are_refused_at_once() {
    let folder = Folder::new();
    let pipe = folder.pipe("pipe");
    let file = folder.file("file", b"x", 0o644);
    let target = folder.at("target");
    assert_eq!(kind(read(&pipe, 9)), FileErrorKind::Special("named pipe"));
    assert_eq!(kind(write(&pipe, b"")), FileErrorKind::Special("named pipe"));
    assert_eq!(kind(copy(&pipe, &target, &never)), FileErrorKind::Special("named pipe"));
    assert_eq!(kind(copy(&file, &pipe, &never)), FileErrorKind::Special("named pipe"));
    assert_eq!(kind(contains(&pipe, b"x", &never)), FileErrorKind::Special("named pipe"));
    assert_eq!(kind(read(Path::new("/dev/zero"), 9)), FileErrorKind::Special("device"));
    assert_eq!(kind(write(Path::new("/dev/full"), b"x")), FileErrorKind::Special("device"));
    let socket = std::os::unix::net::UnixListener::bind(folder.at("socket")).unwrap();
    assert_eq!(kind(read(&folder.at("socket"), 9)), FileErrorKind::Special("socket"));
    drop(socket);
    assert_eq!(kind(read(folder.0.path(), 9)), FileErrorKind::Directory);
    assert_eq!(kind(write(folder.0.path(), b"")), FileErrorKind::Directory);
    assert!(!target.exists());
}

#[test]
fn the_null_device_is_empty_and_swallows() {
    let null = Path::new("/dev/null");
    assert_eq!(read(null, DOCUMENT_LIMIT), Ok(Vec::new()));
    assert_eq!(write(null, b"x"), Ok(false));
    assert_eq!(contains(null, b"x", &never), Ok(false));
    assert!(!fs::metadata(null).unwrap().is_file());
}

#[test]
fn reads_are_bounded_and_typed() {
    let folder = Folder::new();
    let path = folder.file("file", b"12345", 0o644);
    assert_eq!(read(&path, 5).unwrap(), b"12345");
    assert_eq!(kind(read(&path, 4)), FileErrorKind::TooLarge { limit: 4 });
    assert!(
        matches!(read(Path::new("/proc/self/maps"), 10), Err(error) if error.kind == FileErrorKind::TooLarge { limit: 10 })
    );
    let sparse = fs::File::create(folder.at("sparse")).unwrap();
    sparse.set_len(5 << 30).unwrap();
    assert!(matches!(kind(read(&folder.at("sparse"), DOCUMENT_LIMIT)), FileErrorKind::TooLarge { .. }));
    assert_eq!(kind(read(&folder.at("none"), 9)), FileErrorKind::NotFound);
    assert_eq!(kind(read(&folder.at("file/none"), 9)), FileErrorKind::NotAFolder);
    assert_eq!(kind(read(Path::new(""), 9)), FileErrorKind::EmptyPath);
    symlink("none", folder.at("link")).unwrap();
    assert_eq!(kind(read(&folder.at("link"), 9)), FileErrorKind::Dangling);
}

#[test]
fn missing_folders_are_named() {
    let folder = Folder::new();
    let source = folder.file("file", b"x", 0o644);
    let path = folder.at("no/file");
    let error = write(&path, b"x").unwrap_err();
    assert_eq!(error.kind, FileErrorKind::MissingFolder(folder.at("no")));
    assert!(error.to_string().contains("make_dir"));
    assert_eq!(kind(copy(&source, &path, &never)), FileErrorKind::MissingFolder(folder.at("no")));
    assert_eq!(kind(copy(&source, &folder.at("no/"), &never)), FileErrorKind::MissingFolder(folder.at("no/")));
    assert_eq!(kind(write(&folder.at("file/x"), b"x")), FileErrorKind::NotAFolder);
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn a_copy_onto_itself_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.at("dir")).unwrap();
    let path = folder.file("file", b"content", 0o644);
    fs::hard_link(&path, folder.at("hard")).unwrap();
    symlink("file", folder.at("soft")).unwrap();
    for dst in ["file", "dir/../file", "hard", "soft", "."] {
        let error = copy(&path, &folder.at(dst), &never);
        assert!(matches!(kind(error), FileErrorKind::SameFile(_)), "{dst}");
        assert_eq!(fs::read(&path).unwrap(), b"content");
    }
    assert_eq!(fs::metadata(&path).unwrap().nlink(), 2);
}

#[test]
fn copies_land_where_they_should() {
    let folder = Folder::new();
    fs::create_dir(folder.at("dir")).unwrap();
    let source = folder.file("file", b"content", 0o555);
    let copied = copy(&source, &folder.at("dir"), &never).unwrap();
    assert_eq!((copied.dst.as_path(), copied.size), (folder.at("dir/file").as_path(), 7));
    for _ in 0..2 {
        copy(&source, &folder.at("twice"), &never).unwrap();
        assert_eq!(mode(&folder.at("twice")), 0o555);
    }
    let empty = folder.file("empty", b"", 0o644);
    assert_eq!(copy(&empty, &folder.at("twice"), &never).unwrap().size, 0);
    assert_eq!(fs::read(folder.at("twice")).unwrap(), b"");
    symlink("dir/file", folder.at("link")).unwrap();
    copy(&empty, &folder.at("link"), &never).unwrap();
    assert!(folder.at("link").is_symlink());
    assert_eq!(fs::read(folder.at("dir/file")).unwrap(), b"");
    assert_eq!(kind(copy(&folder.at("dir"), &folder.at("x"), &never)), FileErrorKind::Directory);
    fs::create_dir(folder.at("dir/twice")).unwrap();
    assert_eq!(kind(copy(&folder.at("twice"), &folder.at("dir"), &never)), FileErrorKind::Directory);
    assert!(copy(Path::new("/proc/self/status"), &folder.at("status"), &never).unwrap().size > 0);
    assert_eq!(folder.names(), ["dir", "empty", "file", "link", "status", "twice"]);
}

#[test]
fn holes_are_kept() {
    use std::os::unix::fs::FileExt;
    let folder = Folder::new();
    let file = fs::File::create(folder.at("sparse")).unwrap();
    file.set_len(5 << 30).unwrap();
    file.write_all_at(b"middle", 3 << 30).unwrap();
    let started = std::time::Instant::now();
    assert_eq!(copy(&folder.at("sparse"), &folder.at("copy"), &never).unwrap().size, 5 << 30);
    assert!(started.elapsed().as_secs() < 20);
    let copied = fs::metadata(folder.at("copy")).unwrap();
    assert!(copied.len() == 5 << 30 && copied.blocks() < 1 << 14);
    let mut bytes = [1; 8];
    fs::File::open(folder.at("copy")).unwrap().read_exact_at(&mut bytes, (3 << 30) - 1).unwrap();
    assert_eq!(&bytes, b"\0middle\0");
}

#[test]
fn a_large_copy_is_exact_and_can_be_cancelled() {
    let folder = Folder::new();
    let content: Vec<u8> = (0..20_u32 << 20).map(|at| (at % 251) as u8).collect();
    let path = folder.file("large", &content, 0o644);
    copy(&path, &folder.at("copy"), &never).unwrap();
    assert!(fs::read(folder.at("copy")).unwrap() == content);
    let cancelled = copy(&path, &folder.at("other"), &|| true);
    // A file system that shares blocks is done before it can be asked.
    assert!(cancelled.is_ok() || kind(cancelled) == FileErrorKind::Cancelled && !folder.at("other").exists());
}

#[test]
fn folders_are_created() {
    let folder = Folder::new();
    let deep = folder.at("a/b/c");
    assert_eq!(make_dir(&deep), Ok(true));
    assert_eq!(make_dir(&deep), Ok(false));
    assert_eq!(make_dir(&folder.at("x/../y")), Ok(true));
    assert!(folder.at("y").is_dir());
    let file = folder.file("file", b"", 0o644);
    assert_eq!(kind(make_dir(&file)), FileErrorKind::Exists);
    assert_eq!(kind(make_dir(&file.join("x"))), FileErrorKind::NotAFolder);
}

#[test]
fn files_are_removed_but_not_folders() {
    let folder = Folder::new();
    let path = folder.file("file", b"x", 0o444);
    symlink("file", folder.at("link")).unwrap();
    symlink(".", folder.at("here")).unwrap();
    assert_eq!(delete_file(&folder.at("link")), Ok(true));
    assert_eq!(delete_file(&folder.at("here")), Ok(true));
    assert_eq!(delete_file(&path), Ok(true));
    assert_eq!(delete_file(&path), Ok(false));
    assert_eq!(kind(delete_file(folder.0.path())), FileErrorKind::Directory);
    assert!(folder.names().is_empty());
}

#[test]
fn home_is_expanded_only_in_front() {
    let home = Some(std::ffi::OsStr::new("/home/me"));
    for (path, expanded) in [
        ("~/f", "/home/me/f"),
        ("~", "/home/me"),
        ("~//etc", "/home/me//etc"),
        ("~you/f", "~you/f"),
        ("a/~/f", "a/~/f"),
        ("/tmp/a ", "/tmp/a "),
    ] {
        assert_eq!(expand_with(path, home).unwrap(), PathBuf::from(expanded));
    }
    assert_eq!(kind(expand_with("~/f", None)), FileErrorKind::NoHome);
    assert_eq!(kind(expand_with("~/f", Some("relative".as_ref()))), FileErrorKind::NoHome);
    assert_eq!(expand_with("f", None).unwrap(), PathBuf::from("f"));
}

#[test]
fn observations_are_typed() {
    let folder = Folder::new();
    let path = folder.file("file", b"0123456789", 0o644);
    symlink("file", folder.at("link")).unwrap();
    symlink("none", folder.at("dangling")).unwrap();
    symlink("loop", folder.at("loop")).unwrap();
    assert_eq!(observe(&path), Observation::Size(10));
    assert_eq!(observe(&folder.at("link")).size(), Some(10));
    assert_eq!(observe(folder.0.path()), Observation::Directory);
    assert_eq!(observe(folder.0.path()).size(), None);
    assert_eq!(observe(&folder.at("dangling")), Observation::Dangling);
    assert_eq!(observe(&folder.at("loop")), Observation::Dangling);
    assert_eq!(observe(&folder.at("file ")), Observation::Missing);
    assert_eq!(observe(&folder.at("file/x")).exists(), Some(false));
    assert_eq!(observe(Path::new("/dev/null")), Observation::Special("device"));
    assert!(matches!(observe(Path::new("a\0b")), Observation::Unknown(_)));
}

#[test]
fn needles_are_found_across_reads() {
    let folder = Folder::new();
    let mut bytes = vec![b'x'; 5 << 20];
    let at = (1 << 20) - 2;
    bytes[at..at + 6].copy_from_slice(b"needle");
    let path = folder.file("file", &bytes, 0o644);
    assert_eq!(contains(&path, b"needle", &never), Ok(true));
    assert_eq!(contains(&path, b"needles", &never), Ok(false));
    assert_eq!(contains(&path, &bytes[1..3 << 20], &never), Ok(true));
    assert_eq!(contains(&path, b"", &never), Ok(true));
    assert_eq!(kind(contains(&path, b"absent", &|| true)), FileErrorKind::Cancelled);
    assert_eq!(kind(contains(&folder.at("none"), b"", &never)), FileErrorKind::NotFound);
}

#[test]
fn failed_writes_leave_everything_as_it_was() {
    child("writes_fail_half_way", "022", false);
}

#[test]
#[ignore = "run by `failed_writes_leave_everything_as_it_was` in a process of its own"]
fn writes_fail_half_way() {
    if std::env::var_os("MACROCLI_TEST_UMASK").is_none() {
        return;
    }
    let folder = Folder::new();
    let path = folder.file("file", b"old", 0o644);
    let linked = folder.file("linked", b"old", 0o644);
    fs::hard_link(&linked, folder.at("name")).unwrap();
    let large = vec![b'x'; 1 << 20];
    assert!(fs::write(folder.at("control"), &large).is_err());
    fs::remove_file(folder.at("control")).unwrap();
    for path in [&path, &linked, &folder.at("new")] {
        assert!(write(path, &large).is_err());
    }
    assert!(copy(&std::env::current_exe().unwrap(), &path, &never).is_err());
    assert_eq!((fs::read(&path).unwrap(), fs::read(&linked).unwrap()), (b"old".to_vec(), b"old".to_vec()));
    assert_eq!(folder.names(), ["file", "linked", "name"]);
}

#[test]
fn owners_are_kept_where_that_is_allowed() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    let path = folder.file("file", b"old", 0o4755);
    std::os::unix::fs::chown(&path, Some(65534), Some(65533)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4755)).unwrap();
    let before = fs::metadata(&path).unwrap().ino();
    write(&path, b"new").unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.gid(), mode(&path)), (65534, 65533, 0o4755));
    assert_ne!(after.ino(), before);

    // A user who may write the file but not give it away writes it in place.
    let open = folder.file("open", b"old", 0o666);
    fs::set_permissions(folder.0.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "--ignored", "edit::file::tests::write_what_is_not_ones_own"]);
    command.env("MACROCLI_TEST_FILE", &open).current_dir("/").uid(65534).gid(65534);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!((fs::metadata(&open).unwrap().uid(), fs::read(&open).unwrap()), (0, b"new".to_vec()));
    assert_eq!(folder.names(), ["file", "open"]);
}

#[test]
#[ignore = "run by `owners_are_kept_where_that_is_allowed` in a process of its own"]
fn write_what_is_not_ones_own() {
    if let Some(path) = std::env::var_os("MACROCLI_TEST_FILE") {
        assert_eq!(write(Path::new(&path), b"new"), Ok(true));
    }
}

#[test]
fn denied_access_is_told() {
    child("denied_to_this_user", "022", true);
}

#[test]
#[ignore = "run by `denied_access_is_told` in a process of its own"]
fn denied_to_this_user() {
    if std::env::var_os("MACROCLI_TEST_UMASK").is_none() {
        return;
    }
    let folder = Folder::new();
    fs::create_dir(folder.at("shut")).unwrap();
    let inside = folder.file("shut/file", b"old", 0o644);
    let unreadable = folder.file("unreadable", b"x", 0o000);
    let shut = |bits| fs::set_permissions(folder.at("shut"), fs::Permissions::from_mode(bits)).unwrap();
    assert_eq!(kind(read(&unreadable, 9)), FileErrorKind::PermissionDenied);
    shut(0o000);
    assert_eq!(observe(&inside), Observation::PermissionDenied);
    for result in [write(&inside, b"new"), delete_file(&inside), make_dir(&folder.at("shut/new"))] {
        assert_eq!(kind(result), FileErrorKind::PermissionDenied);
    }
    // The folder cannot hold a temporary file: the bytes go in place.
    shut(0o555);
    assert_eq!(write(&inside, b"longer than before"), Ok(true));
    assert_eq!(fs::read(&inside).unwrap(), b"longer than before");
    assert_eq!(kind(write(&folder.at("shut/new"), b"x")), FileErrorKind::PermissionDenied);
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(kind(write(&inside, b"x")), FileErrorKind::PermissionDenied);
    shut(0o755);
    assert_eq!(write(&inside, b"x"), Ok(true));
    assert_eq!(mode(&inside), 0o444);
    assert_eq!(kind(write(Path::new("/etc/hostname"), b"x")), FileErrorKind::PermissionDenied);
}
