//! Listing controls, and waiting for one.

use std::time::Duration;

use spec::action::{arguments, outputs};
use spec::value::Value;

use crate::accessibility::{
    AccessError, Application, Client, Kind, LeftOut, Limits, Node, Object, Query, SharedAccess, State, Tree, all,
    application, contains, every_application, plain,
};
use crate::backends::semantic_ui::wait::Pace;
use crate::failure::{Failure, FailureKind};
use crate::stop::Stop;

/// Most bytes of names and descriptions that are listed.
const MAX_TEXT: usize = 2 << 20;

/// What a control comes with: itself, its name, or that it is shown, and its window; and its application may only come.
const COMING: [Kind; 5] =
    [Kind::Applications, Kind::Children, Kind::Properties, Kind::State(State::Showing), Kind::Windows];

/// Lists the controls of the windows whose titles contain a text; of one with exactly that title alone, when there is one.
///
/// # Errors
/// There is no such window; applications that do not answer are named.
pub fn get_controls(
    access: &SharedAccess,
    arguments: &arguments::GetControls,
    stop: &Stop<'_>,
) -> Result<outputs::GetControls, Failure> {
    let mut client = access.get(stop)?;
    let applications = every_application(&mut *client, stop)?;
    let silent: Vec<_> = applications.silent.iter().map(|one| format!("{} does not answer", one.words())).collect();
    let depth = usize::try_from(arguments.max_depth).unwrap_or(0).saturating_add(1);
    let mut list = List { controls: Vec::new(), left_out: silent.clone(), text: 0, nodes: Limits::default().nodes };
    let mut titles = Vec::new();
    let mut trees: Vec<Tree> = Vec::new();
    for application in &applications.answering {
        match windows(&mut *client, application, stop) {
            Ok(found) => titles.extend(found.into_iter().map(|title| (application, title))),
            Err(AccessError::Ended(_) | AccessError::Gone) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let wanted = arguments.window_title.as_str();
    let exact = !wanted.is_empty() && titles.iter().any(|(_, title)| title == wanted);
    let means = |title: &str| if exact { title == wanted } else { contains(title, wanted) };
    let owners =
        applications.answering.iter().filter(|one| titles.iter().any(|(owner, title)| owner == one && means(title)));
    for application in owners {
        let left = list.nodes.saturating_sub(trees.iter().map(|tree| tree.nodes.len()).sum());
        let limits = Limits { depth: depth.min(Limits::default().depth), nodes: left, ..Limits::default() };
        trees.push(client.tree(application, limits, stop)?);
    }
    for tree in &trees {
        for (window, _) in tree.windows().filter(|(_, node)| means(&node.name)) {
            list.add(tree, window);
        }
        // Deeper levels were not asked for.
        let meant = |what: &&LeftOut| depth > Limits::default().depth || !matches!(what, LeftOut::Deeper(_));
        list.left_out.extend(tree.left_out.iter().filter(meant).map(ToString::to_string));
    }
    if trees.is_empty() && !wanted.is_empty() {
        return Err(no_window(wanted, &titles, &silent));
    }
    Ok(outputs::GetControls {
        count: i64::try_from(list.controls.len()).unwrap_or(i64::MAX),
        controls: list.controls,
        left_out: list.left_out.into_iter().map(Value::String).collect(),
    })
}

/// Waits until a control is there: looks when the application tells of changes, and now and then.
///
/// # Errors
/// The time is over: what there was instead.
pub fn wait_for_control(
    access: &SharedAccess,
    arguments: &arguments::WaitForControl,
    stop: &Stop<'_>,
) -> Result<outputs::WaitForControl, Failure> {
    let mut client = access.get(stop)?;
    let timeout = Duration::from_millis(u64::try_from(arguments.timeout_ms).unwrap_or(0));
    let limit = stop.at_most(timeout);
    // A single look may take longer than a short time limit.
    let one_look = stop.at_most(timeout.max(Duration::from_secs(2)));
    let found = come(&mut *client, arguments, [&one_look, &limit, stop]);
    client.unwatch();
    found
}

/// Looks once, then again whenever the application may have changed.
fn come(
    client: &mut dyn Client,
    arguments: &arguments::WaitForControl,
    [one_look, limit, stop]: [&Stop<'_>; 3],
) -> Result<outputs::WaitForControl, Failure> {
    let mut pace = Pace::default();
    // The root of the application, if there is one already.
    let mut watched: Option<Option<Object>> = None;
    loop {
        pace.look();
        let mut root = None;
        let missing = match look(client, arguments, &mut root, one_look) {
            Err(failure) if failure.kind == FailureKind::Step => failure,
            other => return other,
        };
        if limit.asked() {
            return Err(limit.expired(stop, missing));
        }
        if watched.as_ref() == Some(&root) {
            pace.pause(client, limit)?;
        } else {
            if watched.is_some() {
                pace.rest(client, limit)?;
            }
            // And looks again, for what came before.
            client.watch(root.as_ref(), &COMING, one_look)?;
            watched = Some(root);
        }
    }
}

fn look(
    client: &mut dyn Client,
    arguments: &arguments::WaitForControl,
    root: &mut Option<Object>,
    stop: &Stop<'_>,
) -> Result<outputs::WaitForControl, Failure> {
    let application = application(client, &arguments.app_name, stop)?;
    *root = Some(application.object.clone());
    let tree = client.tree(&application, Limits::default(), stop)?;
    let rank = |node: &Node| Some(u8::from(!node.states.has(State::Showing)));
    let role = arguments.role.as_deref();
    let query = Query { label: &arguments.label, role, rank: &rank, what: "control" };
    let found = all(client, &tree, &query, stop)?.first().and_then(|index| tree.get(*index)).cloned();
    match found {
        Some(node) => {
            let name = if node.name.is_empty() { arguments.label.clone() } else { node.name };
            Ok(outputs::WaitForControl { found: name, role: node.role.to_owned() })
        }
        None => {
            let role = role.map(|role| format!(" of role `{role}`")).unwrap_or_default();
            Err(Failure::step(format!("`{}` has no control{role} called `{}`", application.name, arguments.label)))
        }
    }
}

struct List {
    controls: Vec<Value>,
    left_out: Vec<String>,
    text: usize,
    nodes: usize,
}

impl List {
    fn add(&mut self, tree: &Tree, window: usize) {
        for index in tree.below(window) {
            let Some(node) = tree.get(index) else { continue };
            self.text = self.text.saturating_add(node.name.len()).saturating_add(node.description.len());
            if self.text > MAX_TEXT {
                self.left_out.push(format!("controls after the first {MAX_TEXT} bytes of text"));
                return;
            }
            self.controls.push(entry(node));
        }
    }
}

fn entry(node: &Node) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let states = [
        (node.states.has(State::Showing), "showing"),
        (node.states.usable(), "enabled"),
        (node.states.has(State::Active), "active"),
        (node.states.has(State::Focused), "focused"),
        (node.states.on(), "checked"),
        (node.states.has(State::Selected), "selected"),
        (node.states.has(State::Editable), "editable"),
    ];
    let states = states.into_iter().filter(|(is, _)| *is).map(|(_, name)| text(name)).collect();
    let depth = i64::try_from(node.depth.saturating_sub(1)).unwrap_or(i64::MAX);
    let mut members = vec![
        ("role".to_owned(), text(node.role)),
        ("name".to_owned(), text(&node.name)),
        ("depth".to_owned(), Value::Integer(depth)),
        ("states".to_owned(), Value::List(states)),
    ];
    if !node.description.is_empty() {
        members.push(("description".to_owned(), text(&node.description)));
    }
    Value::Dict(members.into_iter().collect())
}

fn windows(client: &mut dyn Client, application: &Application, stop: &Stop<'_>) -> Result<Vec<String>, AccessError> {
    let tree = client.tree(application, Limits { depth: 1, ..Limits::default() }, stop)?;
    Ok(tree.windows().map(|(_, window)| window.name.clone()).collect())
}

fn no_window(wanted: &str, titles: &[(&Application, String)], silent: &[String]) -> Failure {
    let mut named: Vec<_> =
        titles.iter().filter(|(_, title)| !title.is_empty()).map(|(_, title)| format!("`{}`", plain(title))).collect();
    named.truncate(20);
    let there =
        if named.is_empty() { "there is no window".to_owned() } else { format!("there are {}", named.join(", ")) };
    let rest = if silent.is_empty() { String::new() } else { format!("; {}", silent.join("; ")) };
    Failure::step(format!("no accessible window has `{wanted}` in its title: {there}{rest}"))
}
