//! Texts replaced, files written, copied and deleted, folders made: on links, modes, odd paths and full disks.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::Place;
use crate::steps::{act, as_nobody, of_steps, output, shell, stamp, step, tree};

fn replace(place: &Place, find: &str, with: &str) -> Value {
    let params = json!({"input_file": "a.txt", "find": find, "replace": with});
    act(place, "text_replace", params).unwrap()["replacements"].clone()
}

fn copy(place: &Place, src: &str, dst: &str) -> Result<Value, crate::steps::Refusal> {
    act(place, "copy_file", json!({"src": src, "dst": dst}))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "under_test.yaml" && name != "macrocli-under-test");
    names.sort();
    names
}

#[test]
fn only_the_matched_bytes_change() {
    let bytes = b"\xEF\xBB\xBFa=1\r\nb=\xe9\r\nc=1\n\0end";
    let place = Place::new().file("a.txt", bytes);
    assert_eq!(replace(&place, "a=1", "a=2"), json!(1));
    assert_eq!(fs::read(place.path("a.txt")).unwrap(), b"\xEF\xBB\xBFa=2\r\nb=\xe9\r\nc=1\n\0end");
    let before = stamp(&place.path("a.txt"));
    assert_eq!(replace(&place, "a=2\nb", "x"), json!(0), "line ends are not translated");
    assert_eq!(replace(&place, "none", "x"), json!(0));
    assert_eq!(replace(&place, "c=1", "c=1"), json!(1));
    assert_eq!(stamp(&place.path("a.txt")), before);
    assert_eq!(replace(&place, "a=2\r\nb", "a\r\nb"), json!(1));
    assert_eq!(replace(&place, "\u{0}end", ""), json!(1));
    assert_eq!(fs::read(place.path("a.txt")).unwrap(), b"\xEF\xBB\xBFa\r\nb=\xe9\r\nc=1\n");
}

#[test]
fn replacements_stand_for_themselves() {
    let place = Place::new().file("a.txt", "aaa $1 \\0 & a.b");
    assert_eq!(replace(&place, "aa", "a"), json!(1));
    assert_eq!(replace(&place, "$1", "$0\\1&"), json!(1));
    assert_eq!(replace(&place, ".", "$${x}"), json!(1));
    assert_eq!(place.read("a.txt"), "aa $0\\1& \\0 & a${x}b");
}

#[test]
fn patterns_work_on_bytes_and_keep_the_rest() {
    let place = Place::new().file("a.txt", b"v=1\r\nw=\xe9\r\nv=22");
    let params = json!({"input_file": "a.txt", "find": r"v=(?<n>\d+)", "replace": "v=<$n>"});
    assert_eq!(act(&place, "regex_replace", params).unwrap()["replacements"], json!(2));
    assert_eq!(fs::read(place.path("a.txt")).unwrap(), b"v=<1>\r\nw=\xe9\r\nv=<22>");
    let before = stamp(&place.path("a.txt"));
    for find in ["(", r"(a)\1", "(?=a)"] {
        let params = json!({"input_file": "a.txt", "find": find, "replace": ""});
        assert_eq!(act(&place, "regex_replace", params).unwrap_err().exit, 3, "{find}");
    }
    // A pattern that would take other engines for ever.
    place.write("b.txt", "a".repeat(50_000));
    let params = json!({"input_file": "b.txt", "find": "(a|a)*(a+)+b", "replace": ""});
    assert_eq!(act(&place, "regex_replace", params).unwrap()["replacements"], json!(0));
    assert_eq!(stamp(&place.path("a.txt")), before);
}

#[test]
fn a_large_text_takes_seconds() {
    let mut bytes = b"x\n".repeat(100 << 20);
    let at = bytes.len() - 10;
    bytes[at] = b'y';
    let place = Place::new().file("a.txt", &bytes);
    let began = Instant::now();
    assert_eq!(replace(&place, "y", "z"), json!(1));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    bytes[at] = b'z';
    assert!(fs::read(place.path("a.txt")).unwrap() == bytes);
}

#[test]
fn links_and_modes_survive_every_edit_under_any_umask() {
    let xml = "<r k='1'/>";
    let edits = [
        ("json_set", json!({"path": "v", "value": 2}), "{\"v\":1}", "{\"v\":2}"),
        ("json_delete", json!({"path": "v"}), "{\"v\":1}", "{}"),
        ("text_replace", json!({"find": "1", "replace": "2"}), "a1", "a2"),
        ("regex_replace", json!({"find": "[0-9]", "replace": "2"}), "a1", "a2"),
        ("xml_set_attr", json!({"xpath": "/r", "attr": "k", "value": "2"}), xml, "<r k='2'/>"),
        ("xml_set_text", json!({"xpath": "/r", "value": "2"}), "<r>1</r>", "<r>2</r>"),
        ("write_file", json!({"text": "2"}), "1", "2"),
    ];
    for mask in ["077", "000"] {
        for (action, params, before, after) in &edits {
            let place = Place::new().file("real/file", before).file("run.sh", before);
            set_mode(&place.path("real/file"), 0o600);
            set_mode(&place.path("run.sh"), 0o755);
            symlink("real/second", place.path("first")).unwrap();
            symlink("file", place.path("real/second")).unwrap();
            for file in ["first", "run.sh"] {
                let mut params = params.clone();
                let key = if *action == "write_file" { "output_file" } else { "input_file" };
                params[key] = json!(file);
                place.write("under_test.yaml", of_steps(&[step(action, &params)]));
                let script = format!("umask {mask}; exec \"$0\" \"$@\"");
                output(&shell(&place, &script, &["--json", "run", "./under_test.yaml"])).unwrap();
                assert_eq!(place.read(file), *after, "{action}");
            }
            assert!(place.path("first").is_symlink() && place.path("real/second").is_symlink());
            assert_eq!((mode(&place.path("real/file")), mode(&place.path("run.sh"))), (0o600, 0o755));
            assert_eq!(names(&place.path("")), ["first", "real", "run.sh"]);
            assert_eq!(names(&place.path("real")), ["file", "second"]);
        }
    }
}

#[test]
fn new_files_get_the_mode_the_umask_leaves() {
    for (mask, expected) in [("077", 0o600), ("000", 0o666), ("022", 0o644), ("027", 0o640)] {
        let place = Place::new().file("src", "x");
        set_mode(&place.path("src"), 0o751);
        let steps = [
            step("write_file", &json!({"output_file": "new", "text": "x"})),
            step("json_set", &json!({"input_file": "/dev/null", "output_file": "new.json", "path": "a", "value": 1})),
            step("make_dir", &json!({"path": "a/b"})),
            step("copy_file", &json!({"src": "src", "dst": "dst"})),
        ];
        place.write("under_test.yaml", of_steps(&steps));
        let script = format!("umask {mask}; exec \"$0\" \"$@\"");
        output(&shell(&place, &script, &["--json", "run", "./under_test.yaml"])).unwrap();
        assert_eq!((mode(&place.path("new")), mode(&place.path("new.json"))), (expected, expected));
        let folder = 0o777 & !u32::from_str_radix(mask, 8).unwrap();
        assert_eq!((mode(&place.path("a")), mode(&place.path("a/b"))), (folder, folder));
        assert_eq!(mode(&place.path("dst")), 0o751, "a copy has the mode of its source");
        assert_eq!(place.read("new.json"), "{\n  \"a\": 1\n}\n");
    }
}

#[test]
fn an_owner_and_a_group_survive() {
    let place = Place::new().file("a.txt", "1");
    // Only root can give files away.
    if std::os::unix::fs::chown(place.path("a.txt"), Some(65534), Some(65534)).is_err() {
        return;
    }
    set_mode(&place.path("a.txt"), 0o4755);
    replace(&place, "1", "2");
    let found = fs::metadata(place.path("a.txt")).unwrap();
    assert_eq!((found.uid(), found.gid(), found.mode() & 0o7777), (65534, 65534, 0o4755));
    assert_eq!(place.read("a.txt"), "2");
}

#[test]
fn attributes_of_a_file_survive() {
    let place = Place::new().file("a.txt", "1");
    let path = place.path("a.txt");
    let tool = |words: &[&str]| Command::new("python3").args(words).arg(&path).output();
    let set = tool(&["-c", "import os,sys; os.setxattr(sys.argv[1], 'user.origin', b'here')"]);
    // Some file systems have none.
    if !set.is_ok_and(|output| output.status.success()) {
        return;
    }
    replace(&place, "1", "2");
    let read = tool(&["-c", "import os,sys; print(os.getxattr(sys.argv[1], 'user.origin'))"]).unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), "b'here'\n");
    assert_eq!(place.read("a.txt"), "2");
}

#[test]
fn all_names_of_a_file_keep_naming_it() {
    let place = Place::new().file("a.txt", "old and longer");
    fs::hard_link(place.path("a.txt"), place.path("other")).unwrap();
    replace(&place, "old and longer", "new");
    assert_eq!((place.read("a.txt").as_str(), place.read("other").as_str()), ("new", "new"));
    assert_eq!(fs::metadata(place.path("a.txt")).unwrap().nlink(), 2);
}

#[test]
fn a_link_to_nothing_gets_its_target() {
    let place = Place::new().file("a.json", "{}");
    symlink("later", place.path("link")).unwrap();
    symlink("no/later", place.path("far")).unwrap();
    symlink("loop", place.path("loop")).unwrap();
    let to = |out: &str| {
        act(&place, "json_set", json!({"input_file": "a.json", "output_file": out, "path": "a", "value": 1}))
    };
    to("link").unwrap();
    assert_eq!(fs::read_link(place.path("link")).unwrap(), Path::new("later"));
    assert_eq!(place.read("later"), place.read("link"));
    to("far").unwrap_err().says(&["far", "does not exist"]);
    to("loop").unwrap_err().says(&["`loop` is a symbolic link that leads back to itself"]);
    act(&place, "json_get", json!({"input_file": "loop", "path": "a"})).unwrap_err().says(&["leads back to itself"]);
    fs::remove_file(place.path("later")).unwrap();
    act(&place, "json_get", json!({"input_file": "link", "path": "a"}))
        .unwrap_err()
        .says(&["a symbolic link to something"]);
    assert_eq!(names(&place.path("")), ["a.json", "far", "link", "loop"]);
}

#[test]
fn a_file_copied_onto_itself_is_kept() {
    let place = Place::new().file("src", "content").file("dir/x", "");
    fs::hard_link(place.path("src"), place.path("hard")).unwrap();
    symlink("src", place.path("soft")).unwrap();
    for dst in ["src", "./dir/../src", "hard", "soft", ".", "~/src"] {
        copy(&place, "src", dst).unwrap_err().says(&["src", "same file"]);
        assert_eq!(place.read("src"), "content", "{dst}");
    }
    assert_eq!(fs::metadata(place.path("src")).unwrap().nlink(), 2);
    assert!(place.path("soft").is_symlink());
}

#[test]
fn copies_land_where_they_are_sent() {
    let place = Place::new().file("src", "content").file("dir/x", "").file("empty", "");
    let copied = copy(&place, "src", "dir").unwrap();
    assert_eq!(copied, json!({"src": "src", "dst": "dir/src", "size": 7}));
    assert_eq!(place.read("dir/src"), "content");
    copy(&place, "src", "dir/").unwrap();
    copy(&place, "src", "no/dst").unwrap_err().says(&["no/dst", "`no` does not exist", "make_dir"]);
    copy(&place, "src", "new/").unwrap_err().says(&["new/", "does not exist"]);
    copy(&place, "dir", "dst").unwrap_err().says(&["`dir` is a directory"]);
    copy(&place, "none", "dst").unwrap_err().says(&["`none` does not exist"]);
    copy(&place, "src/x", "dst").unwrap_err().says(&["src/x"]);
    assert!(!place.path("dst").exists() && !place.path("no").exists());
    assert_eq!(copy(&place, "empty", "dir/src").unwrap()["size"], json!(0));
    assert_eq!(place.read("dir/src"), "");
    fs::create_dir(place.path("dir/empty")).unwrap();
    copy(&place, "empty", "dir").unwrap_err().says(&["dir/empty", "is a directory"]);
}

#[test]
fn a_file_without_write_permission_is_copied_twice() {
    let place = Place::new().file("src", "one");
    set_mode(&place.path("src"), 0o555);
    let run = || {
        place.write("under_test.yaml", of_steps(&[step("copy_file", &json!({"src": "src", "dst": "dst"}))]));
        output(&as_nobody(&place, &["--json", "run", "./under_test.yaml"]))
    };
    run().unwrap();
    run().unwrap();
    assert_eq!((place.read("dst").as_str(), mode(&place.path("dst"))), ("one", 0o555));
}

#[test]
fn a_sparse_file_is_copied_with_its_holes() {
    let place = Place::new();
    let file = fs::File::create(place.path("sparse")).unwrap();
    file.set_len(5 << 30).unwrap();
    file.write_all_at(b"middle", 3 << 30).unwrap();
    let began = Instant::now();
    assert_eq!(copy(&place, "sparse", "dst").unwrap()["size"], json!(5_u64 << 30));
    assert!(began.elapsed() < Duration::from_secs(20));
    let found = fs::metadata(place.path("dst")).unwrap();
    assert!(found.len() == 5 << 30 && found.blocks() < 1 << 14);
    let mut bytes = [1; 8];
    fs::File::open(place.path("dst")).unwrap().read_exact_at(&mut bytes, (3 << 30) - 1).unwrap();
    assert_eq!(&bytes, b"\0middle\0");
}

#[test]
fn pipes_and_folders_are_refused_at_once() {
    let place = Place::new().file("a.json", "{}");
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    fs::create_dir(place.path("folder")).unwrap();
    let began = Instant::now();
    for (file, kind) in [("pipe", "a named pipe"), ("folder", "a directory"), ("/dev/zero", "a device")] {
        for (action, params) in [
            ("json_get", json!({"input_file": file, "path": "a"})),
            ("json_set", json!({"input_file": file, "path": "a", "value": 1})),
            ("json_set", json!({"input_file": "a.json", "output_file": file, "path": "a", "value": 1})),
            ("xml_get_text", json!({"input_file": file, "xpath": "/a"})),
            ("text_replace", json!({"input_file": file, "find": "a", "replace": ""})),
            ("copy_file", json!({"src": file, "dst": "dst"})),
            ("write_file", json!({"output_file": file, "text": "x"})),
        ] {
            let mut step = step(action, &params);
            step["timeout"] = json!("20s");
            place.write("under_test.yaml", of_steps(&[step]));
            let refusal = output(&place.call(&["--json", "run", "./under_test.yaml"]).run()).unwrap_err();
            assert_eq!(refusal.exit, 1, "{action} {file}: {refusal:?}");
            refusal.says(&[kind]);
        }
    }
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(!place.path("dst").exists());
    act(&place, "delete_file", json!({"path": "folder"})).unwrap_err().says(&["a directory"]);
    act(&place, "delete_file", json!({"path": "pipe"})).unwrap();
    assert!(!place.path("pipe").exists());
}

#[test]
fn files_are_written_and_deleted_whole() {
    let place = Place::new();
    let text = "é\0\r\n\u{feff}😀 end without a line end";
    let written = act(&place, "write_file", json!({"output_file": "a.txt", "text": text})).unwrap();
    assert_eq!(written, json!({"path": "a.txt", "size": text.len()}));
    assert_eq!(place.read("a.txt"), text);
    let before = stamp(&place.path("a.txt"));
    act(&place, "write_file", json!({"output_file": "a.txt", "text": text})).unwrap();
    assert_eq!(stamp(&place.path("a.txt")), before);
    act(&place, "write_file", json!({"output_file": "a.txt", "text": ""})).unwrap();
    assert_eq!(place.read("a.txt"), "");
    act(&place, "write_file", json!({"output_file": "no/a.txt", "text": ""}))
        .unwrap_err()
        .says(&["`no` does not exist"]);
    symlink("a.txt", place.path("link")).unwrap();
    for (path, deleted) in [("link", true), ("a.txt", true), ("a.txt", false), ("no/such", false)] {
        let left = act(&place, "delete_file", json!({"path": path})).unwrap();
        assert_eq!(left, json!({"path": path, "deleted": deleted}));
    }
    assert!(names(&place.path("")).is_empty());
}

#[test]
fn folders_are_made_with_those_around_them() {
    let place = Place::new().file("file", "");
    let make = |path: &str| act(&place, "make_dir", json!({"path": path}));
    assert_eq!(make("a/b/c").unwrap(), json!({"path": "a/b/c", "created": true}));
    assert_eq!(make("a/b").unwrap()["created"], json!(false));
    assert_eq!(make("a/b/c/").unwrap()["created"], json!(false));
    assert_eq!(make("~/h").unwrap()["created"], json!(true));
    assert!(place.path("h").is_dir());
    make("file").unwrap_err().says(&["`file` exists already"]);
    make("file/x").unwrap_err().says(&["file/x"]);
    symlink("nothing", place.path("link")).unwrap();
    make("link").unwrap_err().says(&["link"]);
    assert!(!place.path("nothing").exists());
}

#[test]
fn odd_names_are_names() {
    for name in
        ["new\nline", "😀 é.json", "-rf", "a b", "*?[x]", "$HOME", "%41", "~x", "…", "\"q'", "\u{1b}[31m", "tab\t"]
    {
        let place = Place::new().file(name, "{\"a\":1}");
        act(&place, "json_set", json!({"input_file": name, "path": "a", "value": 2})).unwrap();
        assert_eq!(place.read(name), "{\"a\":2}");
        let copied = copy(&place, name, "copy").unwrap();
        assert_eq!(copied["src"], json!(name));
        assert_eq!(copy(&place, "copy", &format!("{name}2")).unwrap()["dst"], json!(format!("{name}2")));
        // Nor does a message for people carry control characters of a name to their terminal.
        fs::remove_file(place.path(name)).unwrap();
        let steps = [step("json_get", &json!({"input_file": name, "path": "a"}))];
        place.write("under_test.yaml", of_steps(&steps));
        let outcome = place.call(&["run", "./under_test.yaml"]).status(1);
        assert!(!outcome.stderr.contains(['\u{1b}', '\t']), "{outcome:#?}");
    }
}

#[test]
fn impossible_paths_are_refused() {
    let place = Place::new().file("a.json", "{}");
    let long = "x".repeat(300);
    let deep = "d/".repeat(5000) + "f";
    for path in [&long, &deep] {
        for (action, params) in [
            ("json_get", json!({"input_file": path, "path": "a"})),
            ("json_set", json!({"input_file": "a.json", "output_file": path, "path": "a", "value": 1})),
            ("copy_file", json!({"src": "a.json", "dst": path})),
            ("copy_file", json!({"src": path, "dst": "dst"})),
            ("write_file", json!({"output_file": path, "text": ""})),
            ("make_dir", json!({"path": path})),
            ("delete_file", json!({"path": path})),
        ] {
            let refusal = act(&place, action, params).unwrap_err();
            assert_eq!(refusal.exit, 1, "{action}: {refusal:?}");
            refusal.says(&["too long"]);
        }
    }
    // As long as a name may be: there must be room for what is written beside it.
    let longest = "x".repeat(255);
    act(&place, "write_file", json!({"output_file": longest, "text": "1"})).unwrap();
    act(&place, "write_file", json!({"output_file": longest, "text": "2"})).unwrap();
    assert_eq!(place.read(&longest), "2");
    for path in ["", "a\0b"] {
        let refusal = act(&place, "write_file", json!({"output_file": path, "text": ""})).unwrap_err();
        assert!([1, 3].contains(&refusal.exit), "{refusal:?}");
    }
    assert_eq!(names(&place.path("")), ["a.json", longest.as_str()]);
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let old = "{\"v\":\"old\"}";
    let place = Place::new().file("a.json", old).file("big", vec![b'x'; 200_000]).file("b.txt", old);
    fs::hard_link(place.path("b.txt"), place.path("b2.txt")).unwrap();
    let long = "x".repeat(200_000);
    for (action, params) in [
        ("json_set", json!({"input_file": "a.json", "path": "v", "value": long})),
        ("text_replace", json!({"input_file": "a.json", "find": "old", "replace": long})),
        ("text_replace", json!({"input_file": "b.txt", "find": "old", "replace": long})),
        ("write_file", json!({"output_file": "a.json", "text": long})),
        ("write_file", json!({"output_file": "new.json", "text": long})),
        ("copy_file", json!({"src": "big", "dst": "a.json"})),
        ("copy_file", json!({"src": "big", "dst": "new.json"})),
    ] {
        place.write("under_test.yaml", of_steps(&[step(action, &params)]));
        // A file may grow to 64 KiB at most; beyond, a write fails.
        let script = "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"";
        let refusal = output(&shell(&place, script, &["--json", "run", "./under_test.yaml"])).unwrap_err();
        assert_eq!(refusal.exit, 1, "{action}: {refusal:?}");
        assert_eq!((place.read("a.json").as_str(), place.read("b.txt").as_str()), (old, old), "{action}");
        assert_eq!(names(&place.path("")), ["a.json", "b.txt", "b2.txt", "big"], "{action}");
    }
}

#[test]
fn a_small_file_system_that_is_full_says_so() {
    let place = Place::new();
    fs::create_dir(place.path("small")).unwrap();
    let long = "x".repeat(900_000);
    let steps = [step("json_set", &json!({"input_file": "small/a.json", "path": "v", "value": long}))];
    place.write("under_test.yaml", of_steps(&steps));
    // In a namespace of its own, so that nothing stays mounted.
    let script = r#"mount -t tmpfs -o size=64k none small || exit 99
        printf '{"v":1}' > small/a.json
        "$0" "$@"; status=$?
        cp small/a.json after; ls -A small > left; exit $status"#;
    let words = ["--mount", "sh", "-c", script, crate::steps::PROGRAM, "--json", "run", "./under_test.yaml"];
    if !Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success()) {
        return;
    }
    let outcome = place.call_as(Path::new("unshare"), &words).run();
    if outcome.status == 99 {
        return;
    }
    output(&outcome).unwrap_err().says(&["small/a.json", "no space is left"]);
    assert_eq!((place.read("after").as_str(), place.read("left").as_str()), ("{\"v\":1}", "a.json\n"));
}

#[test]
fn the_home_folder_stands_for_a_tilde_in_front() {
    let place = Place::new().file("x", "{\"a\":1}").file("~/x", "{\"a\":2}");
    let get = |path: &str| act(&place, "json_get", json!({"input_file": path, "path": "a"})).unwrap()["value"].clone();
    assert_eq!(get("~/x"), json!(1));
    assert_eq!(get("./~/x"), json!(2));
    place.write("under_test.yaml", of_steps(&[step("json_get", &json!({"input_file": "~/x", "path": "a"}))]));
    let outcome = place.call(&["--json", "run", "./under_test.yaml"]).env("HOME", "").run();
    output(&outcome).unwrap_err().says(&["HOME"]);
}

#[test]
fn a_dry_run_touches_nothing_and_sees_its_own_changes() {
    let place = Place::new().file("a.txt", "one two").file("a.xml", "<r k='1'/>").file("gone", "x");
    symlink("a.txt", place.path("link")).unwrap();
    let steps = [
        step("make_dir", &json!({"path": "new/deep"})),
        step(
            "json_set",
            &json!({"input_file": "/dev/null", "output_file": "new/deep/a.json", "path": "v", "value": [1, 2]}),
        ),
        step("json_delete", &json!({"input_file": "new/deep/a.json", "path": "v.0"})),
        step("json_get", &json!({"input_file": "new/deep/a.json", "path": "v"})),
        step("text_replace", &json!({"input_file": "link", "find": "one", "replace": "1"})),
        step("regex_replace", &json!({"input_file": "a.txt", "find": "t(w)o", "replace": "$1"})),
        step("copy_file", &json!({"src": "a.txt", "dst": "new"})),
        step("text_replace", &json!({"input_file": "new/a.txt", "find": "1 w", "replace": "", "output_file": "b.txt"})),
        step("xml_set_attr", &json!({"input_file": "a.xml", "xpath": "/r", "attr": "k", "value": "2"})),
        step("xml_set_text", &json!({"input_file": "a.xml", "xpath": "/r", "value": "t"})),
        step("xml_get_attr", &json!({"input_file": "a.xml", "xpath": "/r", "attr": "k"})),
        step("xml_get_text", &json!({"input_file": "a.xml", "xpath": "/r"})),
        step("write_file", &json!({"output_file": "w.json", "text": "{\"a\": 5}"})),
        step("json_get", &json!({"input_file": "w.json", "path": "a"})),
        step("delete_file", &json!({"path": "gone"})),
        step("delete_file", &json!({"path": "gone"})),
        step("json_get", &json!({"input_file": "gone", "path": "a"})),
    ];
    place.write("under_test.yaml", of_steps(&steps));
    let before = tree(&place.path(""));
    let outcome = place.call(&["--json", "run", "./under_test.yaml", "--dry-run"]).status(1);
    assert_eq!(tree(&place.path("")), before);
    let document = outcome.json();
    let gave = |at: usize, key: &str| document["steps"][at]["output"][key].clone();
    assert_eq!(gave(0, "created"), json!(true));
    assert_eq!(gave(2, "deleted"), json!("v.0"));
    assert_eq!(gave(3, "value"), json!([2]));
    assert_eq!(
        (gave(4, "replacements"), gave(5, "replacements"), gave(7, "replacements")),
        (json!(1), json!(1), json!(1))
    );
    assert_eq!((gave(6, "dst"), gave(6, "size")), (json!("new/a.txt"), json!(3)));
    assert_eq!((gave(10, "values"), gave(11, "values")), (json!(["2"]), json!(["t"])));
    assert_eq!(gave(13, "value"), json!(5));
    assert_eq!((gave(14, "deleted"), gave(15, "deleted")), (json!(true), json!(false)));
    assert_eq!(document["steps"][16]["status"], "failed");
    assert!(document["error"].as_str().unwrap().contains("`gone` does not exist"), "{document:#}");
    // The same for real gives the same.
    let real = place.call(&["--json", "run", "./under_test.yaml"]).status(1).json();
    for at in 0..16 {
        assert_eq!(real["steps"][at]["output"], document["steps"][at]["output"], "{at}");
    }
}

#[test]
fn a_dry_run_refuses_what_a_run_would_refuse() {
    let place = Place::new().file("closed/a.json", "{}").file("b.json", "{}");
    set_mode(&place.path("closed/a.json"), 0o444);
    set_mode(&place.path("closed"), 0o555);
    for params in [
        json!({"input_file": "closed/a.json", "path": "a", "value": 1}),
        json!({"input_file": "b.json", "output_file": "closed/new.json", "path": "a", "value": 1}),
        json!({"input_file": "b.json", "output_file": "no/new.json", "path": "a", "value": 1}),
    ] {
        place.write("under_test.yaml", of_steps(&[step("json_set", &params)]));
        let words = ["--json", "run", "./under_test.yaml", "--dry-run"];
        let pretended = output(&as_nobody(&place, &words)).unwrap_err();
        let real = output(&as_nobody(&place, &words[..3])).unwrap_err();
        assert_eq!(pretended.message, real.message);
    }
    set_mode(&place.path("closed"), 0o755);
}
