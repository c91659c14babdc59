//! A model's server that does not do as it should: how a step tells it, and that the key stays where it belongs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::display::{Display, Hand, Sink};
use crate::harness::Place;
use crate::model::{Model, Play, completion, decides, raw, reply, says};

const KEY: &str = "sk-very-secret-4711";

fn step(params: Value) -> Place {
    let step = json!({"id": "s", "backend": "gui_agent", "action": "instruct", "params": params, "timeout": "40s"});
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": [step]}).to_string())
}

fn plain() -> Place {
    step(json!({"description": "look", "max_steps": 3}))
}

/// The document of a run with a key, in which the key is nowhere.
fn run(display: &Display, model: &Model, place: &Place, status: i32) -> Value {
    let outcome = model.call(display, place, &["run", "m.yaml", "--json"]).env("MACROCLI_API_KEY", KEY).status(status);
    assert!(!outcome.stdout.contains(KEY) && !outcome.stderr.contains(KEY), "{outcome:#?}");
    outcome.json()
}

#[test]
fn what_is_no_answer_is_shown_with_its_status() {
    let display = Display::new();
    let hand = Hand::new(&display);
    let elsewhere = Model::playing(vec![decides(json!({"action": "done"}))]);
    let redirect = format!("Location: http://{}/login?to={KEY}\r\n", elsewhere.host());
    let long = format!("<html><body>{}", "log in ".repeat(100));
    let cases: Vec<(Play, &str, &[&str])> = vec![
        (
            reply("200 OK", "", r#"{"error":{"message":"no such model"}}"#),
            "model_no_answer",
            &["200 OK", "no such model"],
        ),
        (
            reply("200 OK", "Content-Type: text/html\r\n", &long),
            "model_no_answer",
            &["200 OK", "<html><body>log in", "`/v1`"],
        ),
        (reply("302 Found", &redirect, "go away"), "model_redirected", &["302 Found", "/login", "go away"]),
        (
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{\"choices\":[{\"message\":{\"conte"),
            "model_no_answer",
            &["200 OK", "breaks off", "{\"choices\""],
        ),
        (
            reply(
                "200 OK",
                "Content-Type: text/event-stream\r\n",
                "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\n",
            ),
            "model_no_answer",
            &["200 OK", "stream", "data: {"],
        ),
        (
            reply("404 Not Found", "Content-Type: text/plain\r\n", "no route\n"),
            "model_status",
            &["404 Not Found", "no route", "`/v1`"],
        ),
        (
            reply("401 Unauthorized", "", &format!("{}{KEY} is wrong", "x".repeat(190))),
            "model_status",
            &["401", "xxx***", "MACROCLI_API_KEY"],
        ),
        (reply("200 OK", "", "[1, 2]"), "model_no_answer", &["200 OK", "[1, 2]"]),
        (reply("200 OK", "", ""), "model_no_answer", &["200 OK", "nothing"]),
        (raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choi"), "model_no_answer", &["200 OK", "breaks off"]),
        (raw("SSH-2.0-nothing\r\n"), "model_unreachable", &["cannot be reached"]),
        (completion(json!({"content": "{\"action\":\"done\"}"}), "length"), "model_truncated", &["cut"]),
        (completion(json!({"content": null, "refusal": "I will not"}), "stop"), "model_refused", &["I will not"]),
    ];
    for (play, code, wanted) in cases {
        let model = Model::playing(vec![play.clone()]);
        let document = run(&display, &model, &plain(), 1);
        assert_eq!(document["error_code"], code, "{document:#}");
        let told = document.to_string().replace("\\\"", "\"");
        for words in wanted {
            assert!(told.contains(words), "no {words:?} in {document:#}");
        }
        assert_eq!(model.asked().len(), 1, "{play:?}");
        assert!(document["error"].as_str().unwrap().chars().count() < 500, "{document:#}");
    }
    assert_eq!(elsewhere.asked().len(), 0, "no redirect is followed");
    hand.nothing_is_down();
}

#[test]
fn an_endless_answer_is_not_read_to_its_end() {
    let display = Display::new();
    let endless = format!("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n{}", "x".repeat(8 << 20));
    let model = Model::playing(vec![raw(&endless)]);
    let document = run(&display, &model, &plain(), 1);
    assert_eq!(document["error_code"], "model_no_answer");
    assert!(document["error"].as_str().unwrap().contains("more bytes"), "{document:#}");
}

#[test]
fn every_form_of_address_and_key() {
    let display = Display::new();
    let done = || Model::playing(vec![decides(json!({"action": "done"}))]);
    for (form, path) in [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/v1?api-version=1", "/v1/chat/completions?api-version=1"),
        ("/v1/chat/completions?api-version=1", "/v1/chat/completions?api-version=1"),
    ] {
        let model = done();
        let place =
            step(json!({"description": "x", "base_url": format!("http://{}{form}", model.host()), "model": "m"}));
        // What a step gives itself, the environment need not have.
        let call = display.call(&place, &["run", "m.yaml", "--json"]).env("HTTP_PROXY", "http://127.0.0.1:1");
        call.env("NO_PROXY", "127.0.0.1").status(0);
        let asked = model.asked();
        assert_eq!((asked.len(), asked[0].path.as_str(), asked[0].header("authorization")), (1, path, None));
        assert_eq!(asked[0].body["model"], "m");
    }
    for (key, header) in [("", None), (" \n", None), ("sk-1\n", Some("Bearer sk-1")), ("\tsk-2 ", Some("Bearer sk-2"))]
    {
        let model = done();
        model.call(&display, &plain(), &["run", "m.yaml"]).env("MACROCLI_API_KEY", key).status(0);
        assert_eq!(model.asked()[0].header("authorization"), header, "{key:?}");
        let place = step(json!({"description": "x", "api_key": key}));
        model.call(&display, &place, &["run", "m.yaml"]).env("MACROCLI_API_KEY", "sk-other").status(0);
        assert_eq!(model.asked()[1].header("authorization"), header, "{key:?}");
    }
}

#[test]
fn the_key_of_the_environment_goes_to_its_server_alone() {
    let display = Display::new();
    let done = || Model::playing(vec![decides(json!({"action": "done"}))]);
    let (usual, other) = (done(), done());
    let place = step(json!({"description": "x", "base_url": other.url()}));
    run(&display, &usual, &place, 0);
    assert_eq!((usual.asked().len(), other.asked()[0].header("authorization")), (0, None));
    run(&display, &other, &place, 0);
    assert_eq!(other.asked()[1].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let plain = step(json!({"description": "x", "base_url": "http://model.invalid/v1", "api_key": "sk-own"}));
    let document = run(&display, &usual, &plain, 1);
    assert!(document["error"].as_str().unwrap().contains("without TLS to `http://model.invalid"), "{document:#}");
}

#[test]
fn an_answer_with_the_key_in_it_is_not_done_and_a_word_is_typed_as_it_is() {
    let mut display = Display::new();
    let sink = Sink::text_field(&mut display, "A field", "400x300+20+20");
    let place = step(json!({"description": "x", "window_title": "A field"}));
    let typed = |text: &str| decides(json!({"action": "type", "text": text, "reason": text}));
    let model = Model::playing(vec![typed(&format!("echo {KEY}"))]);
    assert_eq!(run(&display, &model, &place, 1)["error_code"], "model_bad_reply");
    let model = Model::playing(vec![typed("ollama run x"), decides(json!({"action": "done"}))]);
    let call = model.call(&display, &place, &["run", "m.yaml", "--json"]).env("MACROCLI_API_KEY", "ollama");
    let document = call.status(0).json();
    sink.becomes("ollama run x");
    let tries = &document["steps"][0]["output"]["tries"];
    assert_eq!((&tries[0]["action"]["text"], &tries[0]["reason"]), (&json!("*** run x"), &json!("*** run x")));
}

#[test]
fn a_proxy_is_asked_unless_it_must_not_be() {
    let display = Display::new();
    let proxy = Model::playing(vec![decides(json!({"action": "done"}))]);
    let place = step(json!({"description": "x", "base_url": "http://model.invalid/v1"}));
    let call = proxy.call(&display, &place, &["run", "m.yaml"]).env("HTTP_PROXY", &format!("http://{}", proxy.host()));
    call.status(0);
    assert_eq!(proxy.asked()[0].path, "http://model.invalid/v1/chat/completions");
}

#[test]
fn what_a_server_does_not_take_is_said_in_other_words_once() {
    let display = Display::new();
    let no_tokens =
        reply("400 Bad Request", "", r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported"}}"#);
    let no_form = reply("400 Bad Request", "", r#"{"error":{"message":"response_format is unknown"}}"#);
    let model = Model::playing(vec![no_tokens.clone(), no_form, decides(json!({"action": "done"}))]);
    run(&display, &model, &plain(), 0);
    let asked = model.asked();
    assert_eq!(asked.len(), 3);
    let has = |place: usize, name: &str| asked[place].body.get(name).is_some();
    assert!(has(0, "max_tokens") && !has(0, "max_completion_tokens") && has(0, "response_format"));
    assert!(!has(1, "max_tokens") && has(1, "max_completion_tokens") && has(1, "response_format"));
    assert!(!has(2, "max_tokens") && has(2, "max_completion_tokens") && !has(2, "response_format"));
    let stubborn = Model::playing(vec![no_tokens]);
    let document = run(&display, &stubborn, &plain(), 1);
    assert_eq!((stubborn.asked().len(), &document["error_code"]), (2, &json!("model_status")));
    assert!(document["error"].as_str().unwrap().contains("400 Bad Request"), "{document:#}");
}

#[test]
fn a_busy_server_is_waited_for_within_the_time() {
    let display = Display::new();
    let busy = |seconds: u32| reply("429 Too Many Requests", &format!("Retry-After: {seconds}\r\n"), "slow down");
    let model = Model::playing(vec![
        busy(1),
        reply("503 Service Unavailable", "Retry-After: 0\r\n", ""),
        says("{\"action\":\"done\"}"),
    ]);
    let began = Instant::now();
    run(&display, &model, &plain(), 0);
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(model.asked().len(), 3);
    let long = Model::playing(vec![busy(3600)]);
    let began = Instant::now();
    let document = run(&display, &long, &plain(), 1);
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(long.asked().len(), 1);
    assert!(document.to_string().contains("3600 s"), "{document:#}");
    let always = Model::playing(vec![busy(0)]);
    run(&display, &always, &plain(), 1);
    assert_eq!(always.asked().len(), 3);
}

#[test]
fn a_silent_server_ends_with_the_step_s_time() {
    let display = Display::new();
    let model = Model::playing(vec![Play::Silence(Duration::from_secs(120))]);
    let place = plain();
    place.write("m.yaml", place.read("m.yaml").replace("40s", "2s"));
    let began = Instant::now();
    let document = run(&display, &model, &place, 5);
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(document["error_code"], "timeout");
}

#[test]
fn a_model_that_is_not_configured_is_said_before_the_first_step() {
    let display = Display::new();
    let first = json!({"id": "t", "action": "run_command", "params": {"command": ["touch", "o"]}});
    let ask = |params: Value| json!({"id": "s", "backend": "gui_agent", "action": "instruct", "params": params});
    let with = |params: Value| {
        Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": [first, ask(params)]}).to_string())
    };
    for (params, variable, wanted) in [
        (json!({"description": "x"}), ("LANG", "C"), "MACROCLI_MODEL"),
        (json!({"description": "x"}), ("MACROCLI_MODEL", "m"), "MACROCLI_BASE_URL"),
        (json!({"description": "x", "model": "m"}), ("LANG", "C"), "MACROCLI_BASE_URL"),
    ] {
        let place = with(params);
        let call = display.call(&place, &["run", "m.yaml", "--json"]).env(variable.0, variable.1);
        let document = call.status(7).json();
        assert_eq!(document["error_code"], "backend_unavailable");
        assert!(document.to_string().contains(wanted), "{document:#}");
        assert!(!place.path("o").exists(), "refused before the first step");
    }
    let place = Place::new();
    let backends = |name: &str, value: &str| {
        let call = display.call(&place, &["backends", "--json"]).env(name, value).env("MACROCLI_MODEL", "m");
        call.status(0).json()["gui_agent"].clone()
    };
    assert_eq!(backends("MACROCLI_BASE_URL", "http://127.0.0.1:1")["available"], true);
    assert_eq!(backends("MACROCLI_API_KEY", KEY)["available"], true);
    assert_eq!(backends("LANG", "C")["available"], false);
}

#[test]
fn a_dry_run_asks_nobody_and_shows_no_key() {
    let model = Model::playing(vec![decides(json!({"action": "done"}))]);
    let place = step(json!({"description": "x", "api_key": KEY, "base_url": model.url()}));
    let outcome = place.call(&["run", "m.yaml", "--json", "--dry-run"]).status(0);
    assert!(!outcome.stdout.contains(KEY), "{outcome:#?}");
    assert_eq!(outcome.json()["steps"][0]["would"]["api_key"], "***");
    assert_eq!(model.asked().len(), 0);
    let inspected = place.call(&["inspect", "m.yaml", "--json"]).status(0).json();
    assert_eq!(inspected["capabilities"]["model"], true, "{inspected:#}");
    let hosts = inspected["capabilities"]["hosts"].to_string();
    assert!(hosts.contains(&model.url()), "{hosts}");
}

/// The usual model belongs to `model`; what a step reads or asks by itself does not.
#[test]
fn the_usual_model_needs_no_rule_of_its_own() {
    let display = Display::new();
    let _hand = Hand::new(&display);
    let model = Model::playing(vec![decides(json!({"action": "done"}))]);
    let run = |place: &Place, allow: &str, status: i32| -> Value {
        let words = ["run", "m.yaml", "--json", "--allow", allow];
        model.call(&display, place, &words).env("MACROCLI_API_KEY", KEY).status(status).json()
    };
    run(&plain(), "model,type,click,capture", 0);
    assert_eq!(model.asked().len(), 1);
    for (params, need) in [
        (
            json!({"description": "look", "base_url": "${env.MACROCLI_BASE_URL:-http://none}"}),
            "`env=MACROCLI_BASE_URL`".to_owned(),
        ),
        (json!({"description": "look ${env.MACROCLI_API_KEY:-none}"}), "`env=MACROCLI_API_KEY`".to_owned()),
        (json!({"description": "look", "base_url": model.url()}), format!("`host={}`", model.host())),
        (
            json!({"description": "look", "base_url": format!("http://{}\\@good.org/v1", model.host())}),
            format!("`host={}`", model.host()),
        ),
    ] {
        let told = run(&step(params), "model,type,click,capture,host=good.org", 6);
        assert!(told["error"].as_str().unwrap().contains(&need), "{told:#}");
    }
    assert!(run(&plain(), "type,click,capture", 6)["error"].as_str().unwrap().contains("`model`"));
    assert_eq!(model.asked().len(), 1);
}
