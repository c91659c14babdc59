//! The applications on the accessibility bus.

use std::fs;
use std::time::Instant;

use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::timeout_at;
use zbus::Connection;

use crate::accessibility::at_spi::call::{ACCESSIBLE, CallError, Reference, call, object, present, property};
use crate::accessibility::client::{Application, Applications, Object, Patience};
use crate::accessibility::error::AccessError;

/// The applications, each asked for its name at once with the others, so that one that is frozen holds up none.
///
/// # Errors
/// The registry does not answer.
pub async fn list(
    conn: &Connection,
    wanted: &dyn Fn(&str) -> bool,
    patience: Patience,
) -> Result<Applications, AccessError> {
    let began = Instant::now();
    let roots: Vec<Reference> = call(conn, &registry(), ACCESSIBLE, "GetChildren", &()).await.map_err(no_registry)?;
    let roots: Vec<Object> = roots.into_iter().filter_map(object).collect();
    let names: FuturesUnordered<_> = roots.iter().enumerate().map(|(place, root)| named(conn, place, root)).collect();
    let mut names = names;
    let mut answers: Vec<Option<Result<String, CallError>>> = vec![None; roots.len()];
    let mut found = false;
    loop {
        let limit = if found { patience.others } else { patience.all };
        match timeout_at((began + limit).into(), names.next()).await {
            Ok(Some((place, answer))) => {
                found |= answer.as_ref().is_ok_and(|name| wanted(name));
                if let Some(slot) = answers.get_mut(place) {
                    *slot = Some(answer);
                }
            }
            Ok(None) | Err(_) => break,
        }
    }
    drop(names);
    let mut applications = Applications::default();
    for (object, answer) in roots.into_iter().zip(answers) {
        // The bus knows the process, even when that is frozen.
        let pid = pid(conn, &object).await;
        match answer {
            Some(Ok(name)) => applications.answering.push(Application { object, name, pid }),
            // It ended, and the registry does not know yet.
            Some(Err(_)) => {}
            None => {
                let name = pid.and_then(process_name).unwrap_or_else(|| object.owner.clone());
                applications.silent.push(Application { object, name, pid });
            }
        }
    }
    Ok(applications)
}

/// Whether the toolkit is one that acts inside of the call: GTK does until version 3, and libdbus takes no other call meanwhile.
///
/// # Errors
/// The application has ended.
pub async fn acts_within(conn: &Connection, application: &Object) -> Result<bool, AccessError> {
    const APPLICATION: &str = "org.a11y.atspi.Application";
    let name = present(property::<String>(conn, application, APPLICATION, "ToolkitName").await)?;
    let version = present(property::<String>(conn, application, APPLICATION, "Version").await)?.unwrap_or_default();
    Ok(name.is_some_and(|name| name.eq_ignore_ascii_case("gtk"))
        && (version.starts_with("3.") || version.starts_with("2.")))
}

/// The registry of applications.
pub fn registry() -> Object {
    Object { owner: "org.a11y.atspi.Registry".to_owned(), path: "/org/a11y/atspi/accessible/root".to_owned() }
}

async fn named(conn: &Connection, place: usize, root: &Object) -> (usize, Result<String, CallError>) {
    (place, property(conn, root, ACCESSIBLE, "Name").await)
}

async fn pid(conn: &Connection, object: &Object) -> Option<u32> {
    let bus = Object { owner: "org.freedesktop.DBus".to_owned(), path: "/org/freedesktop/DBus".to_owned() };
    let owner = object.owner.as_str();
    call(conn, &bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID", &owner).await.ok()
}

fn process_name(pid: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim().to_owned())
}

fn no_registry(error: CallError) -> AccessError {
    AccessError::Absent {
        reason: format!("the registry of accessible applications does not answer: {}", AccessError::from(error)),
        hint: "install `at-spi2-core`, and start the applications again".to_owned(),
    }
}
