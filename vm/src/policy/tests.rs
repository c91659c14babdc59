use std::path::PathBuf;

use proptest::prelude::*;
use spec::artifact::Capability;

use crate::model::{Given, Settings};
use crate::need::Need;
use crate::policy::place::{named, real};
use crate::policy::{AllowError, PatternError, Policy, Rules};

fn rules(list: &str) -> Rules {
    let mut rules = Rules::new("test");
    rules.allow_list(list).unwrap();
    rules
}

fn allows(list: &str, capability: Capability, name: &str) -> bool {
    rules(list).allows(&Need::named(capability, name))
}

#[test]
fn nothing_is_allowed_that_no_rule_allows() {
    for capability in Capability::ALL {
        assert!(!Rules::new("none").allows(&Need::named(capability, "/x")));
        assert!(allows(capability.name(), capability, "/x"), "{capability:?}");
        for other in Capability::ALL.into_iter().filter(|other| *other != capability) {
            assert!(!allows(capability.name(), other, "/x"), "{capability:?} {other:?}");
        }
    }
}

#[test]
fn paths_match_by_folders() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let at = |path: &str| base.join(path).display().to_string();
    for (pattern, path, wanted) in [
        ("*.txt", "a.txt", true),
        ("*.txt", "d/a.txt", false),
        ("**/*.txt", "d/e/a.txt", true),
        ("**", "d/e/a.txt", true),
        ("d/**", "d", true),
        ("d/**", "da", false),
        ("d/**", "d/../x", false),
        ("d/**", "x/../d/y", true),
        ("d/*", "d/.hidden", true),
        ("d/a?", "d/ab", true),
        ("d/a?", "d/a/", false),
        ("{d,e}/x", "e/x", true),
        ("d/[ab]", "d/b", true),
        ("d/\\*", "d/*", true),
        ("d/\\*", "d/x", false),
        ("a.txt", "a.txt", true),
        ("a.txt", "./a.txt", true),
        ("a.txt", "b.txt", false),
    ] {
        let list = format!("write={}", at(pattern));
        assert_eq!(allows(&list, Capability::Write, &at(path)), wanted, "{pattern} {path}");
    }
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_that_is_not_allowed() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let at = |path: &str| base.join(path).display().to_string();
    for folder in ["in/deep", "out"] {
        std::fs::create_dir_all(base.join(folder)).unwrap();
    }
    symlink(base.join("out"), base.join("in/link")).unwrap();
    symlink("../out/file", base.join("in/dangling")).unwrap();
    symlink(base.join("in"), base.join("out/back")).unwrap();
    symlink(base.join("in/deep"), base.join("alias")).unwrap();
    symlink("circle", base.join("circle")).unwrap();
    let write = |path: &str| allows(&format!("write={}", at("in/**")), Capability::Write, &at(path));
    let read = |path: &str| allows(&format!("read={}", at("in/**")), Capability::Read, &at(path));
    assert!(write("in/deep/x") && read("in/deep/x"));
    assert!(!write("in/link/x") && !read("in/link/x"), "a folder that is a link");
    assert!(!write("in/dangling") && !read("in/dangling"), "a link to nothing yet");
    assert!(!write("in/link/../x") && write("in/link/../in/x"), "`..` goes up from where the link leads");
    assert!(read("out/back/deep"), "what is read lies inside");
    assert!(!write("alias"), "the link itself lies outside");
    assert!(!write("circle") && !read("circle"));
    // The pattern's folder may be a link itself.
    assert!(allows(&format!("write={}", at("alias/**")), Capability::Write, &at("in/deep/x")));
}

#[test]
fn what_goes_into_a_folder_is_judged_in_there() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap().display().to_string();
    let need = |inside: &str| Need { inside: Some(inside.to_owned()), ..Need::named(Capability::Write, base.clone()) };
    let rules = rules(&format!("write={base}/*.txt"));
    assert!(rules.allows(&need("a.txt")));
    assert!(!rules.allows(&need("a.sh")));
}

#[test]
fn programs_match_by_name_or_by_file() {
    assert!(allows("run=sh", Capability::Run, "sh"));
    assert!(!allows("run=sh", Capability::Run, "/tmp/sh"));
    assert!(!allows("run=sh", Capability::Run, "./sh"));
    assert!(!allows("run=sh", Capability::Run, "shx"));
    assert!(allows("run=s*", Capability::Run, "shx"));
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().display().to_string();
    assert!(allows(&format!("run={base}/*"), Capability::Run, &format!("{base}/tool")));
    assert!(!allows(&format!("run={base}/*"), Capability::Run, &format!("{base}/deep/tool")));
    assert!(allows("run", Capability::Run, "/anything"));
}

#[test]
fn titles_hosts_and_variables_match_as_wholes() {
    assert!(allows("window=GIMP*", Capability::Window, "gimp - a.png"));
    assert!(!allows("window=GIMP", Capability::Window, "gimp - a.png"));
    assert!(allows("env=MY_*", Capability::Env, "MY_KEY"));
    assert!(!allows("env=MY_*", Capability::Env, "my_key"));
    assert!(allows("host=localhost", Capability::Host, "http://localhost:8080/v1"));
    assert!(allows("host=localhost:8080", Capability::Host, "http://LOCALHOST:8080/v1"));
    assert!(!allows("host=localhost:8080", Capability::Host, "http://localhost/v1"));
    assert!(!allows("host=localhost", Capability::Host, "http://localhost@evil.org/v1"));
    assert!(!allows("host=*.org", Capability::Host, "http://evil.com/.org"));
    assert!(allows("host=good.org:443", Capability::Host, "https://good.org/v1"));
    assert!(!allows("host=good.org:443", Capability::Host, "http://good.org/v1"));
    assert!(!allows("host=good.org", Capability::Host, "http://127.0.0.1:9911\\@good.org/v1"));
    assert!(!allows("host=good.org", Capability::Host, "http:127.0.0.1:9911/x://good.org/v1"));
}

#[test]
fn every_window_is_more_than_a_title() {
    for (list, wanted) in [
        ("window", true),
        ("window=*", true),
        ("capture", true),
        ("window=?*", false),
        ("window={,a}", false),
        ("type", false),
    ] {
        assert_eq!(rules(list).allows(&Need::every_window()), wanted, "{list}");
    }
    let refusal = Policy::new(vec![rules("click")]).judge(&Need::every_window()).unwrap_err();
    assert!(rules(refusal.allow.as_deref().unwrap()).allows(&Need::every_window()));
}

#[cfg(unix)]
#[test]
fn the_file_of_a_policy_stays_as_it_is() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let at = |path: &str| base.join(path).display().to_string();
    std::fs::create_dir_all(base.join("real/deep")).unwrap();
    std::fs::write(base.join("real/p.toml"), "").unwrap();
    symlink("real", base.join("folder")).unwrap();
    symlink("folder/p.toml", base.join("p.toml")).unwrap();
    let mut rules = rules("write,read");
    rules.keep(&base.join("p.toml"));
    let policy = Policy::new(vec![Rules { name: "other".to_owned(), files: Vec::new(), ..rules.clone() }, rules]);
    let judged = |capability, path: &str| policy.judge(&Need::named(capability, at(path)));
    for path in ["p.toml", "real/p.toml", "folder/p.toml", "real/deep/../p.toml", "folder", "real", "./p.toml"] {
        let refusal = judged(Capability::Write, path).unwrap_err();
        assert_eq!((refusal.allow, refusal.by.as_str()), (None, "test"), "{path}");
        assert_eq!(judged(Capability::Read, path), Ok(()), "{path}");
    }
    for path in ["q.toml", "real/q.toml", "real/deep", "folder/p.toml.new"] {
        assert_eq!(judged(Capability::Write, path), Ok(()), "{path}");
    }
    // What is copied into the folder has its name there.
    let need = |inside: &str| Need { inside: Some(inside.to_owned()), ..Need::named(Capability::Write, at("real")) };
    assert!(policy.judge(&need("p.toml")).is_err() && policy.judge(&need("a")).is_ok());
}

#[test]
fn every_source_must_allow() {
    let policy = Policy::new(vec![rules("run=a,run=b"), rules("run=b,run=c")]);
    let judged = |name: &str| policy.judge(&Need::named(Capability::Run, name)).is_ok();
    assert_eq!(["a", "b", "c"].map(judged), [false, true, false]);
    let dangerous = |lists: &[Option<bool>]| {
        let rules = lists.iter().map(|consent| {
            let mut rules = Rules::new("x");
            consent.iter().for_each(|consent| rules.consent(*consent));
            rules
        });
        Policy::new(rules.collect()).dangerous()
    };
    assert_eq!(dangerous(&[None, None]), None);
    assert_eq!(dangerous(&[Some(true), None]), Some(true));
    assert_eq!(dangerous(&[Some(true), Some(false)]), Some(false));
}

#[test]
fn lists_are_taken_apart_at_commas() {
    let rules = rules("run={a,b}, write=/tmp/x\\,y/**,,model , dangerous");
    assert!(rules.allows(&Need::named(Capability::Run, "b")));
    assert!(rules.allows(&Need::named(Capability::Write, "/tmp/x,y/z")));
    assert!(rules.allows(&Need::named(Capability::Model, "")));
    assert_eq!(Policy::new(vec![rules]).dangerous(), Some(true));
    let wrong = |list: &str| Rules::new("x").allow_list(list).unwrap_err();
    assert!(matches!(wrong("wrte=/x"), AllowError::Unknown { near: Some(near), .. } if near == "write"));
    assert!(matches!(wrong("run=a,b"), AllowError::Unknown { .. }));
    assert!(matches!(wrong("type=x"), AllowError::Pattern { error: PatternError::Nameless("type"), .. }));
    assert!(matches!(wrong("run="), AllowError::Pattern { error: PatternError::Empty, .. }));
    assert!(matches!(wrong("write=/a/*/../b"), AllowError::Pattern { error: PatternError::UpBehindWildcard(_), .. }));
    assert!(matches!(wrong("write=/a/[b"), AllowError::Pattern { error: PatternError::Malformed { .. }, .. }));
    assert_eq!(wrong("dangerous=yes"), AllowError::Consent);
}

/// A name of a file without what the file system forbids.
fn part() -> impl Strategy<Value = String> {
    "[^/\\x00]{1,8}".prop_filter("no step up or aside", |part| !matches!(part.as_str(), "." | ".."))
}

proptest! {
    /// What a refusal says would allow it does, for exactly that.
    #[test]
    fn the_help_of_a_refusal_helps(parts in prop::collection::vec(part(), 1..5), other in part(), capability in prop::sample::select(vec![
        Capability::Read, Capability::Write, Capability::Run, Capability::Env, Capability::Window,
    ])) {
        let flat = matches!(capability, Capability::Env | Capability::Window);
        let name = if flat { parts.concat() } else { format!("/no such folder/{}", parts.join("/")) };
        let need = Need::named(capability, name.clone());
        let refusal = Policy::new(vec![Rules::new("none")]).judge(&need).unwrap_err();
        let mut rules = Rules::new("helped");
        rules.allow_list(refusal.allow.as_deref().unwrap()).unwrap();
        prop_assert!(rules.allows(&need), "{refusal:?}");
        prop_assert!(!rules.allows(&Need::named(capability, format!("{name}{other}"))), "{refusal:?}");
    }

    /// However often a path goes up, what is outside of a folder is not allowed by `folder/**`.
    #[test]
    fn nothing_climbs_out_of_a_folder(parts in prop::collection::vec(prop_oneof![Just("..".to_owned()), Just(".".to_owned()), part()], 0..8)) {
        let path = format!("/no such folder/in/{}", parts.join("/"));
        let mut at: Vec<&str> = vec!["no such folder", "in"];
        for part in &parts {
            match part.as_str() {
                "." => {}
                ".." => drop(at.pop()),
                other => at.push(other),
            }
        }
        let inside = at.starts_with(&["no such folder", "in"]);
        prop_assert_eq!(allows("write=/no such folder/in/**", Capability::Write, &path), inside);
    }

    /// A real path has neither `.` nor `..`, and is its own real path.
    #[test]
    fn real_paths_stay_as_they_are(parts in prop::collection::vec(prop_oneof![Just("..".to_owned()), Just("tmp".to_owned()), part()], 0..8)) {
        let path = PathBuf::from(format!("/{}", parts.join("/")));
        for found in [real(&path), named(&path)].into_iter().flatten() {
            prop_assert!(found.is_absolute() && !found.components().any(|part| part.as_os_str() == ".."));
            prop_assert_eq!(real(&found).as_ref().and_then(|found| real(found)), real(&found));
        }
    }

    /// The host that is judged is the one that is asked, however an address is written.
    #[test]
    fn what_is_judged_is_what_is_asked(begin in prop::sample::select(vec!["", "http:", "https://", "http://good.org", " HTTP://"]), parts in prop::collection::vec(prop::sample::select(vec![
        "http:", "://", "//", "/", "\\", "@", ":", "?", "#", ".", " ", "\t", "[", "]", "::1", "%2e", "good.org", "GOOD.ORG", "evil.org", "127.0.0.1", "9911", "x",
    ]), 0..8)) {
        let address = format!("{begin}{}", parts.concat());
        let given = Given { model: Some("m"), api_key: Some(""), base_url: Some(&address) };
        let asked = Settings::new(given, &|_| None).ok().map(|settings| settings.server());
        let asked_good = asked.as_ref().is_some_and(|asked| {
            let authority = asked.split_once("://").and_then(|(_, rest)| rest.split('/').next()).unwrap_or_default();
            authority == "good.org" || authority.starts_with("good.org:")
        });
        prop_assert_eq!(allows("host=good.org", Capability::Host, &address), asked_good, "{:?} {:?}", address, asked);
    }

    #[test]
    fn any_list_is_judged(list in "\\PC{0,60}") {
        let _ = Rules::new("x").allow_list(&list);
    }
}
