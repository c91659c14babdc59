//! Doing something with a control and seeing what comes of it.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use zbus::Connection;

use crate::accessibility::at_spi::call::{CallError, call};
use crate::accessibility::at_spi::control::ACTION;
use crate::accessibility::at_spi::watch::Watch;
use crate::accessibility::client::{Acted, Event, Object};
use crate::accessibility::error::AccessError;

/// How long an answer is still waited for when an effect was seen before it. An application that opens a dialog inside of the action
/// answers when the dialog is closed.
const AFTER_EFFECT: Duration = Duration::from_millis(200);

/// Does something with a control; see `Client::act`.
///
/// # Errors
/// The application refuses, or the control is gone.
pub async fn act(
    conn: &Connection,
    control: &Object,
    action: i32,
    mut watch: Option<&mut Watch>,
    is_effect: &dyn Fn(&Event) -> bool,
    settle: Duration,
) -> Result<Acted, AccessError> {
    let answer = call::<_, bool>(conn, control, ACTION, "DoAction", &action);
    tokio::pin!(answer);
    let mut acted = Acted::default();
    let mut until = None;
    loop {
        tokio::select! {
            biased;
            accepted = &mut answer, if acted.accepted.is_none() => match accepted {
                // An application that quits over it may have no time to answer.
                Err(CallError::Ended) => return Ok(Acted { accepted: Some(true), effect: true }),
                accepted => {
                    acted.accepted = Some(accepted?);
                    if acted.effect || acted.accepted == Some(false) {
                        return Ok(acted);
                    }
                    until = Some(Instant::now() + settle);
                }
            },
            Some(event) = next(&mut watch), if !acted.effect => {
                if is_effect(&event) {
                    acted.effect = true;
                    if acted.accepted.is_some() {
                        return Ok(acted);
                    }
                    until = Some(Instant::now() + AFTER_EFFECT);
                }
            }
            () = over(until) => return Ok(acted),
        }
    }
}

async fn next(watch: &mut Option<&mut Watch>) -> Option<Event> {
    match watch {
        Some(watch) => watch.next().await,
        None => None,
    }
}

async fn over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}
