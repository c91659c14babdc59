//! How a step with a vision model goes on and ends: in the steps it has, with its end seen, corrected, or as it was decided before.

use serde_json::{Value, json};

use crate::display::{Display, Hand, Sink};
use crate::harness::Place;
use crate::model::{Model, decides};

fn step(action: &str, params: Value) -> Place {
    let step = json!({"id": "s", "backend": "gui_agent", "action": action, "params": params, "timeout": "50s"});
    Place::new().file("m.yaml", json!({"name": "m", "version": "1", "steps": [step]}).to_string())
}

fn instruct(params: Value) -> Place {
    step("instruct", params)
}

fn run(display: &Display, model: &Model, place: &Place, status: i32) -> Value {
    model.call(display, place, &["run", "m.yaml", "--json"]).status(status).json()
}

#[test]
fn a_model_that_only_waits_is_asked_no_more_often_than_allowed() {
    let display = Display::new();
    let wait = || decides(json!({"action": "wait", "ms": 10}));
    let unseen = decides(json!({"end_state_reached": false, "reason": "still nothing"}));
    let plain = json!({"description": "x", "max_steps": 3});
    let mut ended = plain.clone();
    ended["end_state_description"] = "a window".into();
    // What it waited for may be there after the last wait: that is judged, once.
    for (params, plays) in [(plain, vec![wait()]), (ended.clone(), vec![wait(), wait(), wait(), unseen])] {
        let (model, asked) = (Model::playing(plays.clone()), plays.len().max(3));
        let document = run(&display, &model, &instruct(params), 1);
        assert_eq!(model.asked().len(), asked);
        assert_eq!(document["error_code"], "model_not_finished");
        assert!(document["error"].as_str().unwrap().contains("not finished after 3 steps"), "{document:#}");
        assert_eq!(document["steps"][0]["output"]["tries"].as_array().unwrap().len(), 3);
        assert_eq!(document["steps"][0]["output"]["done"], false);
    }
    let seen = decides(json!({"end_state_reached": true, "reason": "there it is"}));
    let model = Model::playing(vec![wait(), wait(), wait(), seen]);
    let document = run(&display, &model, &instruct(ended), 0);
    assert_eq!((model.asked().len(), &document["steps"][0]["output"]["done"]), (4, &json!(true)));
}

#[test]
fn done_at_once_is_a_success_that_says_so() {
    let display = Display::new();
    let model = Model::playing(vec![decides(json!({"action": "done"}))]);
    let document = run(&display, &model, &instruct(json!({"description": "x"})), 0);
    let output = &document["steps"][0]["output"];
    assert_eq!((&output["done"], &output["action"]), (&json!(true), &json!({"action": "done", "taken": false})));
    assert!(document["warnings"][0].as_str().unwrap().contains("no action was taken"), "{document:#}");
    assert_eq!(model.asked().len(), 1);
}

#[test]
fn done_does_not_stand_for_an_end_state() {
    let display = Display::new();
    let end = json!({"description": "x", "max_steps": 2, "end_state_description": "the dialog is gone"});
    // It says nothing of the end state, and is asked; then it says that it is not reached.
    let judged = Model::playing(vec![
        decides(json!({"action": "done"})),
        decides(json!({"end_state_reached": true, "reason": "gone"})),
    ]);
    let document = run(&display, &judged, &instruct(end.clone()), 0);
    assert_eq!(
        document["steps"][0]["output"]["tries"][0]["judgement"],
        json!({"reached": true, "right": null, "reason": "gone"})
    );
    assert!(judged.asked()[1].words().contains("the dialog is gone"));
    let denied =
        Model::playing(vec![decides(json!({"action": "done", "end_state_reached": false, "reason": "still there"}))]);
    let document = run(&display, &denied, &instruct(end.clone()), 1);
    assert_eq!((&document["error_code"], denied.asked().len()), (&json!("model_not_finished"), 2));
    let vague = Model::playing(vec![decides(json!({"action": "done"}))]);
    let document = run(&display, &vague, &instruct(end), 1);
    assert_eq!(document["error_code"], "model_bad_reply", "{document:#}");
}

#[test]
fn the_end_state_is_seen_after_the_last_action() {
    let mut display = Display::new();
    let sink = Sink::text_field(&mut display, "A field", "400x300+20+20");
    let typed = decides(json!({"action": "type", "text": "hi", "end_state_reached": false}));
    let place = instruct(
        json!({"description": "x", "window_title": "A field", "max_steps": 1, "end_state_description": "hi is there"}),
    );
    let model = Model::playing(vec![typed, decides(json!({"end_state_reached": true, "reason": "it is"}))]);
    let document = run(&display, &model, &place, 0);
    sink.becomes("hi");
    assert_eq!(model.asked().len(), 2);
    let tries = document["steps"][0]["output"]["tries"].as_array().unwrap();
    assert_eq!((tries.len(), &tries[0]["judgement"]["reached"]), (1, &json!(true)));
}

#[test]
fn a_wrong_action_is_undone_only_when_that_is_asked_for() {
    let mut display = Display::new();
    let code = "
root.title('Undo')
root.geometry('300x200+50+50')
area = tkinter.Text(root, undo=True)
area.pack()
area.focus_set()
area.bind('<Control-z>', lambda event: say('undo'))
area.bind('<KeyRelease-x>', lambda event: say('x'))
";
    let tk = crate::display::Tk::run(&mut display, code);
    let plays = || {
        vec![
            decides(json!({"action": "type", "text": "x"})),
            decides(json!({"action": "wait", "ms": 1, "last_action_right": false, "reason": "that was no y"})),
            decides(json!({"action": "done"})),
        ]
    };
    let params = |undo: bool| json!({"description": "write y", "window_title": "Undo", "undo": undo});
    let model = Model::playing(plays());
    let document = run(&display, &model, &step("instruct_with_refine", params(false)), 0);
    tk.says("x");
    assert!(!tk.said().contains(&"undo".to_owned()));
    let asked = model.asked();
    // The screen before and after the action are compared.
    assert_eq!((asked[0].images().len(), asked[1].images().len()), (1, 2));
    assert_ne!(asked[1].images()[0], asked[1].images()[1]);
    assert_eq!(document["steps"][0]["output"]["tries"][0]["judgement"]["right"], false);

    let model = Model::playing(plays());
    let document = run(&display, &model, &step("instruct_with_refine", params(true)), 0);
    tk.says("undo");
    let tries = document["steps"][0]["output"]["tries"].as_array().unwrap();
    assert_eq!((tries.len(), &tries[0]["undone"], &tries[1]["action"]["action"]), (2, &json!(true), &json!("done")));
    assert!(model.asked()[2].words().contains("was undone"));

    // Neither what changed nothing is undone, nor anything after a `done` that did not end the step.
    let undone = |tk: &crate::display::Tk| tk.said().iter().filter(|line| *line == "undo").count();
    let before = undone(&tk);
    let wrong = |action: Value| {
        let mut reply = action;
        reply["last_action_right"] = false.into();
        decides(reply)
    };
    for first in [json!({"action": "wait", "ms": 1}), json!({"action": "scroll", "x": 100, "y": 100, "dy": 1})] {
        let model = Model::playing(vec![
            decides(first),
            wrong(json!({"action": "hotkey", "keys": "shift"})),
            decides(json!({"action": "done"})),
        ]);
        let document = run(&display, &model, &step("instruct_with_refine", params(true)), 0);
        let tries = document["steps"][0]["output"]["tries"].as_array().unwrap();
        assert!(tries.len() == 3 && tries.iter().all(|one| one["undone"] == false), "{document:#}");
        assert!(!model.asked()[1].words().contains("Ctrl+Z"));
    }
    let mut ended = params(true);
    ended["end_state_description"] = "y".into();
    ended["max_steps"] = 3.into();
    let model = Model::playing(vec![
        decides(json!({"action": "type", "text": "x"})),
        decides(json!({"action": "done", "last_action_right": true, "end_state_reached": false})),
        wrong(json!({"action": "wait", "ms": 1})),
        decides(json!({"end_state_reached": false})),
    ]);
    let document = run(&display, &model, &step("instruct_with_refine", ended), 1);
    let tries = document["steps"][0]["output"]["tries"].as_array().unwrap();
    assert!(tries.len() == 3 && tries.iter().all(|one| one["undone"] == false), "{document:#}");
    assert_eq!(undone(&tk), before);
}

#[test]
fn what_was_decided_on_this_screen_before_is_not_asked_again() {
    let display = Display::new();
    let hand = Hand::new(&display);
    let place = instruct(json!({"description": "x", "cache": "kept"}));
    let model = Model::playing(vec![
        decides(json!({"action": "click", "x": 300, "y": 400})),
        decides(json!({"action": "done"})),
    ]);
    let document = run(&display, &model, &place, 0);
    assert_eq!((model.asked().len(), &document["steps"][0]["output"]["tries"][0]["cached"]), (2, &json!(false)));
    let document = run(&display, &model, &place, 0);
    let tries = document["steps"][0]["output"]["tries"].as_array().unwrap();
    assert!(tries.len() == 2 && tries.iter().all(|one| one["cached"] == true), "{document:#}");
    assert_eq!((model.asked().len(), hand.pointer()), (2, (300, 400)));
    // Another instruction is another decision, and so is another screen.
    place.write("m.yaml", place.read("m.yaml").replace("\"x\"", "\"y\""));
    run(&display, &model, &place, 0);
    assert_eq!(model.asked().len(), 3);
    let failing = instruct(json!({"description": "x", "max_steps": 2}));
    let waits = Model::playing(vec![decides(json!({"action": "wait", "ms": 1}))]);
    let call =
        waits.call(&display, &failing, &["run", "m.yaml"]).env("MACROCLI_CACHE", failing.path("c").to_str().unwrap());
    call.status(1);
    assert!(!failing.path("c").exists(), "what led to no end is not kept");
    // A folder that others can write in is neither read nor written, and the step goes on without.
    let open = instruct(json!({"description": "x", "cache": "open"}));
    std::fs::create_dir(open.path("open")).unwrap();
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(open.path("open"), everybody).unwrap();
    let done = Model::playing(vec![decides(json!({"action": "done"}))]);
    let document = run(&display, &done, &open, 0);
    assert!(document["warnings"].to_string().contains("others may write in it"), "{document:#}");
    assert_eq!(std::fs::read_dir(open.path("open")).unwrap().count(), 0);
    // Under a policy the folder is written, whoever names it.
    let kept = instruct(json!({"description": "x"}));
    let folder = kept.path("kept");
    let call = |allow: &str| {
        let call = done.call(&display, &kept, &["run", "m.yaml", "--json", "--allow", allow]);
        call.env("MACROCLI_CACHE", folder.to_str().unwrap())
    };
    let all = "model,capture,click,type,env";
    call(all).status(6);
    assert_eq!(done.asked().len(), 1, "nobody is asked");
    call(&format!("{all},write={}", folder.display())).status(0);
}
