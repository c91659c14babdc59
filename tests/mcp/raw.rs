//! The server and clients that do as they like, signals, and what is refused.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::display::Display;
use crate::harness::Place;
use crate::mcp::session::{Session, modern};
use crate::witness::{Process, appears, eventually, send};

const SLEEPER: &str = "name: sleeper\nsteps:\n  \
    - {id: s, action: run_command, timeout: 70s, params: {command: [sh, -c, \"echo $$ > pid; exec sleep 61\"]}}\n\
    finally:\n  - {id: clean, action: run_command, params: {command: [touch, cleaned]}}\n";

fn with(name: &str, text: &str) -> Place {
    Place::new().file(&format!("macro_definitions/{name}.yaml"), text)
}

/// The most memory a server has had, in KiB.
fn memory(session: &Session) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", session.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

#[test]
fn lines_that_are_no_messages_harm_nothing() {
    let place = Place::new();
    let mut session = Session::new(&place, &[]);
    let hostile = [
        "",
        " ",
        "nonsense",
        "{",
        "[]",
        "null",
        "1",
        "\"a\"",
        "{}",
        "\u{0}\u{1}",
        "{\"jsonrpc\": \"2.0\"}",
        "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]",
        "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1e400, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 7}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 99}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 5, \"result\": {}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 5, \"error\": {\"code\": 1, \"message\": \"\"}}",
    ];
    let deep = "[".repeat(100_000);
    for round in 0..2 {
        hostile.iter().for_each(|line| session.write(line));
        session.write(&deep);
        if round == 0 {
            session.shake();
        }
    }
    let answer = session.ask("ping", json!({}));
    assert_eq!(answer["result"], json!({}));
    let outcome = session.end();
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{outcome:#?}");
}

#[test]
fn messages_without_end_cost_no_memory() {
    let place = Place::new();
    let mut session = Session::opened(&place, &[]);
    let part = "x".repeat(1 << 20);
    let before = memory(&session);
    for _ in 0..4 {
        session.write(&part.repeat(64));
    }
    assert_eq!(session.ask("ping", json!({}))["result"], json!({}));
    let grown = memory(&session) - before;
    assert!(grown < 64 << 10, "{grown} KiB");
    assert_eq!(session.end().status, 0);
}

#[test]
fn requests_without_end_are_refused() {
    let place = with("sleeper", SLEEPER);
    let mut session = Session::opened(&place, &[]);
    for id in 0..600 {
        let call = json!({"name": "sleeper", "arguments": {}});
        session.write(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}).to_string());
    }
    // 256 run or wait for their turn; the others are too many for the table of calls, or for the session.
    for _ in 256..600 {
        let answer = session.next();
        let refused = answer["result"]["structuredContent"]["error_code"] == "refused";
        assert!(refused || answer["error"]["code"] == -32603, "{answer}");
    }
    appears(&place, "pid");
    let listed = session.call("run_status", json!({})).0;
    assert_eq!(listed["running"].as_array().unwrap().len(), 256, "{listed}");
    let outcome = session.end();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
}

#[test]
fn methods_and_parameters_that_are_wrong_have_their_codes() {
    let place = Place::new();
    let mut session = Session::opened(&place, &[]);
    let code = |answer: Value| answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(code(session.ask("no/such", json!({}))), -32601);
    assert_eq!(code(session.ask("resources/read", json!({"uri": "file:///etc/passwd"}))), -32601);
    assert_eq!(code(session.ask("tools/call", json!({"name": "look", "arguments": 3}))), -32602);
    assert_eq!(code(session.ask("tools/call", json!({"arguments": {}}))), -32602);
    assert_eq!(code(session.ask("tools/call", json!({"name": "none"}))), -32602);
    assert_eq!(session.end().status, 0);
}

#[test]
fn older_revisions_are_kept_and_unknown_ones_answered_with_the_newest() {
    let place = Place::new();
    let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"].map(|version| (version, version));
    for (asked, answered) in known.into_iter().chain([("1999-01-01", "2025-11-25"), ("2031-01-01", "2025-11-25")]) {
        let mut session = Session::new(&place, &[]);
        let about =
            json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = session.ask("initialize", about);
        assert_eq!(answer["result"]["protocolVersion"], answered, "{answer}");
        session.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        let (document, failed) = session.call("macros_search", json!({"query": "json"}));
        assert!(!failed && document["total"].as_u64().unwrap() > 0, "{asked}: {document}");
        assert_eq!(session.end().status, 0);
    }
}

#[test]
fn every_request_for_itself() {
    let place = Place::new().good("macro_definitions/look.yaml", "look");
    let mut session = Session::new(&place, &[]);
    let unknown = session.ask("server/discover", json!({"_meta": modern("2031-01-01")}));
    assert_eq!(unknown["error"]["code"], -32022, "{unknown}");
    let supported = unknown["error"]["data"]["supported"].as_array().unwrap();
    assert!(supported.contains(&json!("2026-07-28")) && supported.contains(&json!("2025-11-25")), "{unknown}");
    let bare = session.ask("tools/list", json!({}));
    assert_eq!(bare["error"]["code"], -32602, "{bare}");
    let found = session.ask("server/discover", json!({"_meta": modern("2026-07-28")}));
    assert_eq!(
        found["result"]["supportedVersions"].as_array().map(|all| all.contains(&json!("2026-07-28"))),
        Some(true),
        "{found}"
    );
    // A call needs no list before it.
    let call = json!({"name": "look", "arguments": {}, "_meta": modern("2026-07-28")});
    let called = session.ask("tools/call", call);
    assert_eq!(called["result"]["structuredContent"]["success"], true, "{called}");
    assert_eq!(called["result"]["resultType"], "complete", "{called}");
    let listed = session.ask("tools/list", json!({"_meta": modern("2026-07-28")}));
    assert!(listed["result"]["ttlMs"].is_u64() && listed["result"]["cacheScope"] == "private", "{listed}");
    assert_eq!(session.end().status, 0);
}

#[test]
fn a_signal_ends_the_server_and_its_runs() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let place = with("sleeper", SLEEPER);
        let mut session = Session::opened(&place, &[]);
        session.send("tools/call", json!({"name": "sleeper"}));
        let slept = Process::noted(&place, "pid");
        send(&session.child, signal);
        slept.ends();
        let status = eventually("the end of the server", || session.child.try_wait().unwrap());
        assert_eq!(status.code(), Some(code));
        assert!(place.path("cleaned").exists());
    }
}

#[test]
fn runs_end_cleanly_when_the_server_is_killed() {
    let place = with("sleeper", SLEEPER);
    let mut session = Session::opened(&place, &[]);
    session.send("tools/call", json!({"name": "sleeper"}));
    let slept = Process::noted(&place, "pid");
    kill_process(Pid::from_child(&session.child), Signal::KILL).unwrap();
    slept.ends();
    appears(&place, "cleaned");
    session.child.wait().unwrap();
}

#[test]
fn dangerous_macros_need_consent() {
    let danger = "name: danger\nagent_hints: {danger_level: dangerous}\nsteps:\n  - {id: t, action: run_command, params: {command: [touch, touched]}}\n";
    let place = with("danger", danger);
    let mut session = Session::opened(&place, &[]);
    let (document, failed) = session.call("danger", json!({}));
    assert!(failed && document["error_code"] == "refused" && document["exit_code"] == 6, "{document}");
    assert!(document["hint"].as_str().unwrap().contains("--yes") && !place.path("touched").exists());
    session.end();
    let mut session = Session::opened(&place, &["--yes"]);
    let (document, failed) = session.call("danger", json!({}));
    assert!(!failed && place.path("touched").exists(), "{document}");
    session.end();
}

#[test]
fn a_policy_holds_for_all_runs_and_for_the_server_itself() {
    let text = "name: t\nsteps:\n  - {id: t, action: run_command, params: {command: [touch, touched]}}\n";
    let place = with("t", text);
    let mut session = Session::opened(&place, &["--allow", "run=false,write=touched"]);
    let (document, failed) = session.call("t", json!({}));
    assert!(failed && document["error_code"] == "refused" && !place.path("touched").exists(), "{document}");
    let (document, failed) = session.call("screen_capture", json!({}));
    assert!(failed && document["error_code"] == "refused" && document["exit_code"] == 6, "{document}");
    session.end();
    let mut session = Session::opened(&place, &["--allow", "run=touch", "--allow", "write=*"]);
    let (document, failed) = session.call("t", json!({}));
    assert!(!failed && place.path("touched").exists(), "{document}");
    session.end();
    let refused = place.call(&["mcp", "--policy", "none.toml", "--json"]).status(2).json();
    assert_eq!(refused["error_code"], "usage");
}

#[test]
fn a_server_can_only_pretend() {
    let place = with("t", "name: t\nsteps:\n  - {id: t, action: run_command, params: {command: [touch, touched]}}\n");
    let mut session = Session::opened(&place, &["--dry-run", "--session-id", "s1"]);
    let (document, failed) = session.call("t", json!({}));
    assert!(!failed && !place.path("touched").exists(), "{document}");
    assert_eq!((&document["telemetry"]["dry_run"], &document["telemetry"]["session_id"]), (&json!(true), &json!("s1")));
    session.end();
}

#[test]
fn broken_macros_are_named_on_standard_error_once() {
    let place = Place::new().file("macro_definitions/broken.yaml", "name: broken\nsteps: 1\n");
    let mut session = Session::opened(&place, &[]);
    for _ in 0..3 {
        let listed = session.ask("tools/list", json!({}));
        assert!(!listed.to_string().contains("\"broken\""), "{listed}");
    }
    let outcome = session.end();
    assert_eq!(outcome.stderr.matches("broken.yaml").count(), 2, "{}", outcome.stderr);
    let missing = Place::new().call(&["mcp", "--macros", "nowhere", "--json"]).status(2).json();
    assert_eq!(missing["error_code"], "usage");
}

#[test]
fn the_configuration_in_the_readme_works() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let block = readme.split("<!-- mcp -->\n```json\n").nth(1).unwrap().split("```").next().unwrap();
    let config: Value = serde_json::from_str(block).unwrap();
    let server = &config["mcpServers"]["macrocli"];
    assert_eq!(server["command"], "macrocli");
    let place = Place::new().good("macros/look.yaml", "look");
    let own = place.path("macros").to_str().unwrap().to_owned();
    let words: Vec<String> = serde_json::from_value(server["args"].clone()).unwrap();
    let words: Vec<String> = words.into_iter().map(|word| word.replace("/tmp/macros", &own)).collect();
    let mut session = Session::of(place.call(&words.iter().map(String::as_str).collect::<Vec<_>>()));
    session.shake();
    let (document, failed) = session.call("look", json!({}));
    assert!(!failed, "{document}");
    assert_eq!(session.end().status, 0);
}

#[test]
fn the_screen_comes_as_an_image() {
    let display = Display::new();
    let place = Place::new();
    let mut session = Session::of(display.call(&place, &["mcp"]));
    session.shake();
    for (arguments, width) in [(json!({}), None), (json!({"x": 10, "y": 20, "width": 33, "height": 44}), Some(33))] {
        let answer = session.ask("tools/call", json!({"name": "screen_capture", "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        let region: Vec<u32> = serde_json::from_value(result["structuredContent"]["region"].clone()).unwrap();
        let image = result["content"].as_array().unwrap().iter().find(|one| one["type"] == "image").unwrap();
        assert_eq!(image["mimeType"], "image/png");
        // The first bytes of any PNG; its width is in bytes 16 to 19.
        let data = image["data"].as_str().unwrap();
        assert!(data.starts_with("iVBORw0KGgo"), "{data:.20}");
        assert!(width.is_none_or(|width| region == [10, 20, width, 44]), "{region:?}");
    }
    let (document, failed) = session.call("screen_capture", json!({"window_title": "no such window"}));
    assert!(failed && document["error_code"] == "step_failed", "{document}");
    let (document, failed) = session.call("screen_capture", json!({"x": 0, "width": 999_999, "height": 1}));
    assert!(failed && document["error"].as_str().unwrap().contains("not wholly on the screen"), "{document}");
    assert_eq!(session.end().status, 0);
}
