//! The overlay beside the real files: what it tells, and that the disk stays as it was.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};

use crate::edit::file::{FileErrorKind, Observation};
use crate::edit::never;
use crate::files::{ChangeKind, Files, OverlayFiles, RealFiles};

const LIMIT: u64 = 1 << 20;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::create_dir(folder.at("d")).unwrap();
        fs::write(folder.at("f"), "old").unwrap();
        fs::write(folder.at("d/g"), "inner").unwrap();
        symlink("f", folder.at("link")).unwrap();
        symlink("new", folder.at("dangling")).unwrap();
        symlink("d", folder.at("dlink")).unwrap();
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Every name with its content or target.
    fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.0.path().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let content = match fs::read_link(&path) {
                    Ok(target) => format!("-> {}", target.display()),
                    Err(_) if path.is_dir() => "folder".to_owned(),
                    Err(_) => fs::read_to_string(&path).unwrap(),
                };
                if content == "folder" {
                    open.push(path.clone());
                }
                found.insert(path, content);
            }
        }
        found
    }
}

fn text(files: &impl Files, path: &Path) -> String {
    String::from_utf8(files.read(path, LIMIT).unwrap()).unwrap()
}

#[test]
fn later_reads_see_earlier_writes_by_every_name() {
    let folder = Folder::new();
    let before = folder.snapshot();
    let mut files = OverlayFiles::default();
    assert_eq!(text(&files, &folder.at("f")), "old");
    assert!(files.write(&folder.at("link"), b"new").unwrap());
    assert!(!files.write(&folder.at("f"), b"new").unwrap());
    for name in ["f", "link", "d/../f", "dlink/../f", "./f"] {
        assert_eq!(text(&files, &folder.at(name)), "new", "{name}");
        assert_eq!(files.observe(&folder.at(name)), Observation::Size(3), "{name}");
    }
    assert!(files.contains(&folder.at("link"), b"ew", &never).unwrap());
    assert!(files.write(&folder.at("dangling"), b"made").unwrap());
    assert_eq!(text(&files, &folder.at("new")), "made");
    assert!(!files.write(&folder.at("d/g"), b"inner").unwrap());
    assert!(files.write(&folder.at("dlink/h"), b"h").unwrap());
    assert_eq!(text(&files, &folder.at("d/h")), "h");
    assert_eq!(folder.snapshot(), before);
    let changes: Vec<_> = files.changes().into_iter().map(|change| (change.kind, change.path, change.bytes)).collect();
    assert_eq!(changes[0], (ChangeKind::Write, folder.at("link"), 3));
    assert_eq!(changes.len(), 3);
}

#[test]
fn deleted_files_are_gone_and_can_be_made_again() {
    let folder = Folder::new();
    let before = folder.snapshot();
    let mut files = OverlayFiles::default();
    assert!(files.delete_file(&folder.at("f")).unwrap());
    assert!(!files.delete_file(&folder.at("f")).unwrap());
    assert_eq!(files.observe(&folder.at("f")), Observation::Missing);
    assert_eq!(files.observe(&folder.at("link")), Observation::Dangling);
    assert_eq!(files.read(&folder.at("link"), LIMIT).unwrap_err().kind, FileErrorKind::Dangling);
    assert!(files.write(&folder.at("link"), b"again").unwrap());
    assert_eq!(text(&files, &folder.at("f")), "again");
    assert!(files.delete_file(&folder.at("link")).unwrap());
    assert_eq!(files.observe(&folder.at("link")), Observation::Missing);
    assert_eq!(text(&files, &folder.at("f")), "again");
    assert_eq!(files.delete_file(&folder.at("d")).unwrap_err().kind, FileErrorKind::Directory);
    assert_eq!(folder.snapshot(), before);
}

#[test]
fn copies_of_large_files_take_no_room() {
    let folder = Folder::new();
    let large = folder.at("large");
    fs::File::create(&large).unwrap().set_len(5 << 30).unwrap();
    let mut files = OverlayFiles::default();
    let copied = files.copy(&large, &folder.at("d"), &never).unwrap();
    assert_eq!((copied.dst.clone(), copied.size), (folder.at("d/large"), 5 << 30));
    assert_eq!(files.observe(&copied.dst), Observation::Size(5 << 30));
    assert!(!copied.dst.exists());
    let copied = files.copy(&folder.at("f"), &folder.at("copy"), &never).unwrap();
    files.write(&folder.at("f"), b"changed").unwrap();
    assert_eq!(text(&files, &copied.dst), "old");
    fs::hard_link(folder.at("f"), folder.at("hard")).unwrap();
    let mut files = OverlayFiles::default();
    for name in ["f", "link", "hard", "d/../f"] {
        let error = files.copy(&folder.at("f"), &folder.at(name), &never).unwrap_err();
        assert!(matches!(error.kind, FileErrorKind::SameFile(_)), "{name}: {error}");
    }
    assert_eq!(files.copy(&folder.at("d"), &folder.at("x"), &never).unwrap_err().kind, FileErrorKind::Directory);
}

#[test]
fn folders_made_before_can_be_written_to() {
    let folder = Folder::new();
    let before = folder.snapshot();
    let mut files = OverlayFiles::default();
    let inner = folder.at("a/b/c");
    let missing = files.write(&inner.join("f"), b"x").unwrap_err();
    assert!(matches!(missing.kind, FileErrorKind::MissingFolder(_)), "{missing}");
    assert!(files.make_dir(&inner).unwrap());
    assert!(!files.make_dir(&inner).unwrap() && !files.make_dir(&folder.at("a")).unwrap());
    assert!(!files.make_dir(&folder.at("dlink")).unwrap());
    assert_eq!(files.observe(&folder.at("a/b")), Observation::Directory);
    assert!(files.write(&inner.join("f"), b"x").unwrap());
    assert_eq!(text(&files, &folder.at("a/b/../b/c/f")), "x");
    assert_eq!(files.make_dir(&folder.at("f")).unwrap_err().kind, FileErrorKind::Exists);
    assert_eq!(files.make_dir(&folder.at("f/x")).unwrap_err().kind, FileErrorKind::NotAFolder);
    assert_eq!(files.make_dir(&inner.join("f/x")).unwrap_err().kind, FileErrorKind::NotAFolder);
    assert_eq!(folder.snapshot(), before);
}

#[test]
fn what_would_fail_fails() {
    let folder = Folder::new();
    let mut files = OverlayFiles::default();
    assert_eq!(files.write(&folder.at("d"), b"").unwrap_err().kind, FileErrorKind::Directory);
    assert_eq!(files.write(Path::new(""), b"").unwrap_err().kind, FileErrorKind::EmptyPath);
    assert_eq!(files.read(&folder.at("none"), LIMIT).unwrap_err().kind, FileErrorKind::NotFound);
    assert!(matches!(files.read(&folder.at("f"), 2).unwrap_err().kind, FileErrorKind::TooLarge { .. }));
    files.write(&folder.at("f"), b"12345").unwrap();
    assert!(matches!(files.read(&folder.at("f"), 4).unwrap_err().kind, FileErrorKind::TooLarge { .. }));
    assert!(!files.write(Path::new("/dev/null"), b"x").unwrap());
    assert_eq!(files.read(Path::new("/dev/null"), LIMIT).unwrap(), b"");
    symlink("loop", folder.at("loop")).unwrap();
    assert_eq!(files.write(&folder.at("loop"), b"x").unwrap_err().kind, FileErrorKind::LinkLoop);
    let long = folder.at(&"a/".repeat(500_000));
    assert!(files.write(&long, b"x").is_err() && files.make_dir(&long).is_err() && files.delete_file(&long).is_err());
}

#[test]
fn memory_is_bounded() {
    let folder = Folder::new();
    let mut files = OverlayFiles::default();
    let block = vec![b'x'; 100 << 20];
    let write = |files: &mut OverlayFiles, name: &str| files.write(&folder.at(name), &block);
    assert!(write(&mut files, "1").unwrap() && write(&mut files, "2").unwrap());
    assert!(write(&mut files, "3").unwrap_err().to_string().contains("a dry run keeps at most"));
    assert!(files.delete_file(&folder.at("1")).unwrap());
    assert!(write(&mut files, "3").unwrap());
}

#[derive(Clone, Debug)]
enum Step {
    Write(&'static str, &'static str),
    Copy(&'static str, &'static str),
    MakeDir(&'static str),
    Delete(&'static str),
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "f", "link", "dangling", "new", "d", "d/g", "dlink/g", "dlink", "e", "e/x", "e/x/y", "d/../f", "d/n/../g",
        "f/x",
    ])
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (name(), prop_oneof![Just("old"), Just("1"), Just("")]).prop_map(|(name, text)| Step::Write(name, text)),
        (name(), name()).prop_map(|(src, dst)| Step::Copy(src, dst)),
        // Folders made on the way to a failure are not compared.
        name().prop_filter("`..`", |name| !name.contains("n/..")).prop_map(Step::MakeDir),
        name().prop_map(Step::Delete),
    ]
}

fn apply(files: &mut impl Files, folder: &Folder, step: &Step) -> Result<String, String> {
    let outcome = match step {
        Step::Write(name, text) => files.write(&folder.at(name), text.as_bytes()).map(|written| written.to_string()),
        Step::Copy(src, dst) => {
            let copied = files.copy(&folder.at(src), &folder.at(dst), &never);
            copied.map(|copied| {
                format!("{} {}", copied.dst.strip_prefix(folder.0.path()).unwrap().display(), copied.size)
            })
        }
        Step::MakeDir(name) => files.make_dir(&folder.at(name)).map(|made| made.to_string()),
        Step::Delete(name) => files.delete_file(&folder.at(name)).map(|deleted| deleted.to_string()),
    };
    // Paths differ, and the exact reason may: a folder that is no folder shows in several ways.
    outcome.map_err(|_| "failed".to_owned())
}

proptest! {
    /// Whatever is done, the overlay answers as the real file system does, and leaves the disk alone.
    #[test]
    fn an_overlay_behaves_like_the_disk(steps in prop::collection::vec(step(), 1..12)) {
        let (real, dry) = (Folder::new(), Folder::new());
        let before = dry.snapshot();
        let (mut disk, mut overlay) = (RealFiles, OverlayFiles::default());
        for step in &steps {
            assert_eq!(apply(&mut overlay, &dry, step), apply(&mut disk, &real, step), "{step:?} of {steps:?}");
            for name in ["f", "link", "dangling", "new", "d", "d/g", "dlink/g", "e", "e/x", "e/x/y"] {
                let (told, is) = (overlay.observe(&dry.at(name)), disk.observe(&real.at(name)));
                assert_eq!(told, is, "`{name}` after {steps:?}");
                if is.size().is_some() {
                    assert_eq!(text(&overlay, &dry.at(name)), text(&disk, &real.at(name)), "`{name}` after {steps:?}");
                }
            }
        }
        assert_eq!(dry.snapshot(), before);
    }
}
