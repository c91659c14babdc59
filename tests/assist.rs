//! Macros that a model writes: only when they compile, only for the display, and never over other files.

use serde_json::{Value, json};

use crate::display::{Art, Display, Options, Painter};
use crate::harness::{Call, Place};
use crate::model::{Model, Play, decides, reply};

/// A screen with a button at (100, 50).
fn screen() -> Art {
    let button = Art::button([0, 120, 200]);
    Art::new(2560, 1440, |x, y| match (x.checked_sub(100), y.checked_sub(50)) {
        (Some(x), Some(y)) if x < 60 && y < 24 => button.at(x, y),
        _ => [200, 200, 200],
    })
}

fn place() -> Place {
    Place::new().file("screen.png", screen().png())
}

/// The steps of a macro called `save_it`.
fn written(steps: &str) -> String {
    format!("name: save_it\nversion: \"1\"\nsteps:\n{steps}")
}

fn good() -> String {
    written(
        "  - {id: press, backend: visual_anchor, action: click_image, params: {template: save_it-templates/save.png}}\n",
    )
}

/// The button, as the model sees it: half as large.
fn button() -> Value {
    json!({"label": "save", "x": 50, "y": 25, "width": 30, "height": 12})
}

fn draft(text: &str) -> Play {
    decides(json!({"macro": text, "templates": [button()]}))
}

fn call<'p>(model: &Model, place: &'p Place, more: &[&str]) -> Call<'p> {
    let words = ["assist", "save_it", "--goal", "save the file", "--screenshot", "screen.png", "--json"];
    let call = place.call(&[&words[..], more].concat());
    call.env("MACROCLI_MODEL", "eyes").env("MACROCLI_BASE_URL", &model.url())
}

#[test]
fn a_macro_is_written_with_its_images() {
    let model = Model::playing(vec![draft(&good())]);
    let place = place();
    let document = call(&model, &place, &["--api-key", "env:KEY"]).env("KEY", "sk-1234\n").status(0).json();
    assert_eq!((&document["schema"], &document["path"]), (&json!("macrocli.assist/1"), &json!("save_it.yaml")));
    assert_eq!((&document["rounds"], &document["templates"]), (&json!(1), &json!(["save_it-templates/save.png"])));
    assert_eq!(place.read("save_it.yaml"), good());
    assert_eq!(Art::read(&place.path("save_it-templates/save.png")), screen().part(100, 50, 60, 24));
    place.call(&["check", "save_it.yaml", "--deny", "warnings"]).status(0);
    let asked = &model.asked()[0];
    assert_eq!((asked.sizes(), asked.header("authorization")), (vec![(1280, 720)], Some("Bearer sk-1234")));
    let words = asked.words();
    for part in [
        "save the file",
        "1280x720 pixels",
        "visual_anchor.click_image",
        "semantic_ui.menu_click",
        "save_it-templates/",
    ] {
        assert!(words.contains(part), "no {part:?} in {words}");
    }
    assert!(!words.contains("run_command") && !words.contains("capture_region"));
    // What is there stays.
    let again = call(&model, &place, &[]).status(1).json();
    assert!(again["error"].as_str().unwrap().contains("exists already"), "{again:#}");
    assert_eq!(model.asked().len(), 1, "nobody is asked in vain");
    call(&model, &place, &["--force"]).status(0);
}

#[test]
fn what_the_compiler_says_goes_back() {
    let wrong = good().replace("click_image", "click_picture");
    let model = Model::playing(vec![draft(&wrong), draft(&good())]);
    let place = place();
    let document = call(&model, &place, &["-o", "out.yaml"]).status(0).json();
    assert_eq!((&document["rounds"], place.read("out.yaml")), (&json!(2), good()));
    let words = model.asked()[1].words();
    assert!(words.contains("click_picture") && words.contains("E0"), "{words}");
}

#[test]
fn after_three_rounds_nothing_is_written() {
    let wrong = Model::playing(vec![draft(&good().replace("click_image", "click_picture"))]);
    let place = place();
    let document = call(&wrong, &place, &[]).status(3).json();
    assert_eq!((&document["error_code"], wrong.asked().len()), (&json!("diagnostics"), 3));
    assert_eq!(document["diagnostics"][0]["file"], "save_it.yaml");
    let no_draft = Model::playing(vec![decides(
        json!({"macro": good(), "templates": [{"label": "save", "x": 1270, "y": 25, "width": 30, "height": 12}]}),
    )]);
    let document = call(&no_draft, &place, &[]).status(1).json();
    assert_eq!((&document["error_code"], no_draft.asked().len()), (&json!("model_bad_reply"), 3));
    assert!(!place.path("save_it.yaml").exists() && !place.path("save_it-templates").exists());
}

#[test]
fn a_macro_may_only_look_and_drive() {
    let place = place().file("other.png", Art::button([1, 2, 3]).png()).good("other.yaml", "other");
    for steps in [
        "  - {id: a, action: run_command, params: {command: [touch, pwn]}}\n",
        "  - {id: a, action: start_process, params: {command: [touch, pwn]}}\n",
        "  - {id: a, action: find_executable, params: {name: sh}}\n",
        "  - {id: a, backend: file_transform, action: write_file, params: {output_file: pwn, text: x}}\n",
        "  - {id: a, backend: gui_agent, action: instruct, params: {description: x}}\n",
        "  - {id: a, backend: visual_anchor, action: capture_region, params: {output: pwn.png}}\n",
        "  - {id: a, backend: visual_anchor, action: type_text, params: {text: \"${env.HOME:-x}\"}}\n",
        "  - {id: a, backend: semantic_ui, action: shortcut, params: {keys: a}, verify: {conditions: [{file_exists: /etc/passwd}], within: 1s}}\n",
        "  - {id: a, backend: recovery, action: retry, params: {step: {action: run_command, params: {command: [touch, pwn]}}}}\n",
    ] {
        let model = Model::playing(vec![draft(&written(steps))]);
        let document = call(&model, &place, &[]).run().json();
        assert_eq!(
            (&document["error_code"], &document["exit_code"]),
            (&json!("refused"), &json!(6)),
            "{steps}: {document:#}"
        );
        assert_eq!(model.asked().len(), 3);
    }
    let outside = place.path("other.png");
    let outside = written(&format!(
        "  - {{id: a, backend: visual_anchor, action: click_image, params: {{template: {}}}}}\n",
        outside.display()
    ));
    let named = good().replace("save_it\n", "other\n");
    for (text, status) in [(outside, 3), (named, 6)] {
        let model = Model::playing(vec![draft(&text)]);
        call(&model, &place, &[]).status(status);
    }
    assert!(!place.path("save_it.yaml").exists() && !place.path("pwn").exists());
}

#[test]
fn a_refused_macro_may_be_mended() {
    let place = place();
    let bad = written("  - {id: a, action: run_command, params: {command: [touch, pwn]}}\n");
    let model = Model::playing(vec![draft(&bad), draft(&good())]);
    call(&model, &place, &[]).status(0);
    assert!(model.asked()[1].words().contains("`native_api.run_command` may not be used"));
}

#[test]
fn no_file_of_the_user_is_read_for_a_model() {
    let place = place().file("secrets", "DB_PASS=topsecret X=1\n").good("other.yaml", "other");
    let secret = place.path("secrets");
    let secret = secret.display();
    for steps in [
        format!("  - {{id: a, macro: {secret}}}\n"),
        "  - {id: a, macro: ../secrets.yaml}\n".to_owned(),
        format!("  - {{id: a, backend: gui_macro, action: replay, params: {{macro_file: {secret}}}}}\n"),
        format!("  - {{id: a, backend: visual_anchor, action: click_image, params: {{template: {secret}}}}}\n"),
    ] {
        let model = Model::playing(vec![draft(&written(&steps))]);
        let outcome = call(&model, &place, &[]).run();
        let asked: String = model.asked().iter().map(|one| one.words()).collect();
        assert_eq!((outcome.status, model.asked().len()), (3, 3), "{steps}: {outcome:#?}");
        assert!(!format!("{asked}{outcome:?}").contains("topsecret"), "{steps}");
    }
}

#[test]
fn a_policy_is_asked_before_anything_is_looked_at_or_sent() {
    let model = Model::playing(vec![draft(&good())]);
    let place = place().file("policy.toml", "type = true\n").file("wide.toml", "model = true\nread = true\n");
    let refused = |call: Call<'_>, word: &str| {
        let document = call.status(6).json();
        assert_eq!(document["error_code"], "refused");
        assert!(document["error"].as_str().unwrap().contains(word), "{word}: {document:#}");
    };
    let policy = |file: &str, more: &[&str]| call(&model, &place, more).env("MACROCLI_POLICY", file);
    refused(policy("policy.toml", &[]), "`model`");
    refused(policy("policy.toml", &["--allow", "model,read"]), "`read=");
    refused(policy("wide.toml", &["--base-url", &model.url()]), "`host=");
    refused(call(&model, &place, &["--policy", "policy.toml", "--dry-run"]), "`model`");
    refused(call(&model, &place, &["--allow", "read"]), "`model`");
    let words = ["assist", "save_it", "--goal", "x", "--json", "--allow", "model", "--api-key", "env:NONE"];
    refused(place.call(&words), "`capture`");
    policy("none.toml", &[]).status(2);
    assert_eq!(model.asked().len(), 0);
    policy("wide.toml", &["--allow", "model,read"]).status(0);
}

#[test]
fn a_dry_run_writes_nothing() {
    let model = Model::playing(vec![draft(&good())]);
    let place = place();
    let document = call(&model, &place, &["--dry-run"]).status(0).json();
    assert_eq!((&document["written"], &document["macro"]), (&json!(false), &json!(good())));
    assert!(!place.path("save_it.yaml").exists() && !place.path("save_it-templates").exists());
}

#[test]
fn mistakes_are_told_before_a_question() {
    let model = Model::playing(vec![draft(&good())]);
    let place = place().file("text.png", "no image");
    let words =
        |words: &[&str]| place.call(words).env("MACROCLI_MODEL", "m").env("MACROCLI_BASE_URL", &model.url()).run();
    for wrong in [
        &["assist", "save_it", "--goal", "x", "--screenshot", "none.png"][..],
        &["assist", "save_it", "--goal", "x", "--screenshot", "text.png"],
        &["assist", "../up", "--goal", "x", "--screenshot", "screen.png"],
        &["assist", "save_it", "--goal", " ", "--screenshot", "screen.png"],
        &["assist", "save_it", "--goal", "x", "--screenshot", "screen.png", "--api-key", "sk-open"],
        &["assist", "save_it", "--screenshot", "screen.png"],
    ] {
        let outcome = words(wrong);
        assert_eq!(outcome.status, 2, "{wrong:?}: {outcome:#?}");
        assert!(!outcome.stderr.contains("sk-open"));
    }
    let none =
        place.call(&["assist", "save_it", "--goal", "x", "--screenshot", "screen.png", "--json"]).status(7).json();
    assert!(none.to_string().contains("MACROCLI_MODEL"), "{none:#}");
    let failing = Model::playing(vec![reply("500 Internal Server Error", "", "no")]);
    assert_eq!(call(&failing, &place, &[]).status(1).json()["error_code"], "model_status");
    assert_eq!(model.asked().len(), 0);
}

#[test]
fn the_screen_as_it_is_becomes_a_macro_that_works() {
    let display = Display::with(Options { window_manager: false, ..Options::default() });
    let painter = Painter::new(&display);
    painter.show(100, 50, &Art::button([0, 120, 200]));
    let here = json!({"label": "save", "x": 100, "y": 50, "width": 60, "height": 24});
    let model = Model::playing(vec![decides(json!({"macro": good(), "templates": [here]}))]);
    let place = Place::new();
    model.call(&display, &place, &["macro", "assist", "save_it", "--goal", "save"]).status(0);
    let document = display.call(&place, &["run", "save_it.yaml", "--json"]).status(0).json();
    assert_eq!(document["steps"][0]["output"]["clicked_at"], json!([130, 62]));
    assert_eq!(painter.clicks(1).len(), 1);
}
