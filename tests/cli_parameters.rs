//! Values from flags, documents and places where secrets are kept.

use crate::harness::Place;

const ECHO: &str = r#"name: echo
parameters:
  text: {type: string, required: true}
  count: {type: integer, default: 1}
  list: {type: list, default: []}
  key: {type: string, secret: true}
steps:
  - id: say
    action: run_command
    params: {command: [printf, "%s|%s|%s", "${text}", "${count}", "${key:-}"], capture_stdout: true}
    expose: [key]
outputs:
  - {name: said, value: "${steps.say.stdout}"}
  - {name: items, value: "${list}"}
"#;

#[test]
fn values_arrive_as_they_are() {
    let place = Place::new().file("e.yaml", ECHO).file("p.json", "\u{feff}{\"count\": 7, \"list\": [1, \"x\", 1.50]}");
    let run = |words: &[&str]| place.call(&[&["run", "e.yaml", "--json"], words].concat());
    let said = |words: &[&str]| run(words).status(0).json()["output"].clone();
    assert_eq!(said(&["-p", "text=a=b $(x) ${count} \"q\""])["said"], "a=b $(x) ${count} \"q\"|1|");
    assert_eq!(said(&["-p", "text=x", "--params-json", "@p.json"])["items"].to_string(), "[1,\"x\",1.5]");
    let stdin = run(&["--params-json", "-"]).stdin("{\"text\": \"in\"}").status(0).json();
    assert_eq!(stdin["output"]["said"], "in|1|");
    assert_eq!(said(&["--params-json", "{\"text\": \"t\", \"count\": 2}"])["said"], "t|2|");
}

#[test]
fn all_problems_of_parameters_are_usage() {
    let place = Place::new().file("e.yaml", ECHO).file("marker.yaml", ECHO);
    let outcome = place.call(&["run", "e.yaml", "-p", "txt=1", "-p", "count=x", "--json"]).status(2).json();
    let error = outcome["error"].as_str().unwrap();
    assert!(error.contains("`txt`") && error.contains("`count`") && error.contains("`text`"), "{error}");
    for words in [
        vec!["-p", "text=a", "-p", "text=b"],
        vec!["-p", "text=a", "--params-json", "{\"text\": 1}"],
        vec!["--params-json", "e.yaml"],
        vec!["--params-json", "@none.json"],
        vec!["--params-json", "@e.yaml"],
        vec!["--params-json", "[1]"],
    ] {
        place.call(&[&["run", "e.yaml"], &words[..]].concat()).status(2).stdout("");
    }
}

#[test]
fn secrets_are_never_shown() {
    let place = Place::new().file("e.yaml", ECHO).file("secret.txt", "hunter2!\n");
    let call =
        |words: &[&str]| place.call(&[&["run", "e.yaml", "-p", "text=t"], words].concat()).env("KEY", "hunter2!");
    for place in ["key=env:KEY", "key=file:secret.txt", "key=stdin"] {
        for form in
            [&["--secret", place][..], &["--secret", place, "--json"], &["--secret", place, "--dry-run", "--json"]]
        {
            let outcome = call(form).stdin("hunter2!\n").status(0);
            assert!(!format!("{outcome:?}").contains("hunter2"), "{outcome:#?}");
            if form.len() == 3 {
                assert_eq!(outcome.json()["output"]["said"], "t|1|***");
            }
        }
    }
    let outcome = call(&["-p", "key=hunter2!", "--json"]).status(0);
    assert!(!format!("{outcome:?}").contains("hunter2"), "{outcome:#?}");
    assert!(outcome.json()["warnings"][0].as_str().unwrap().contains("`key` is secret"));
    let outcome = place.call(&["run", "e.yaml", "--secret", "hunter2!"]).status(2);
    assert!(!format!("{outcome:?}").contains("hunter2"), "{outcome:#?}");
}
