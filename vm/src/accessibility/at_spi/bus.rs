//! Finding the accessibility bus and connecting to it.

use std::env;

use zbus::connection::Builder;
use zbus::zvariant::Value;
use zbus::{Connection, Error};

use crate::accessibility::at_spi::call::{PROPERTIES, call, property};
use crate::accessibility::client::Object;
use crate::accessibility::error::AccessError;

/// A variable that names the bus without a session bus, as `libatspi` reads it.
const ADDRESS: &str = "AT_SPI_BUS_ADDRESS";

const INSTALL: &str = "install `at-spi2-core`";
const SESSION: &str = "run in a desktop session, or start the applications and macrocli under one `dbus-run-session`";
const BRIDGE: &str = "where `NO_AT_BRIDGE=1` is set, unset it";

/// Connects to the accessibility bus of the session, and turns accessibility on where it is off, so that applications show themselves.
///
/// # Errors
/// [`AccessError::Absent`].
pub async fn connect() -> Result<Connection, AccessError> {
    let address = match env::var(ADDRESS).ok().filter(|address| !address.is_empty()) {
        Some(address) => address,
        None => from_session().await?,
    };
    let refused = |error: Error| {
        absent(format!("the accessibility bus at `{address}` refuses: {error}"), format!("{SESSION}; {BRIDGE}"))
    };
    Builder::address(address.as_str()).map_err(refused)?.build().await.map_err(refused)
}

async fn from_session() -> Result<String, AccessError> {
    let session = Builder::session().map_err(no_session)?.build().await.map_err(no_session)?;
    let launcher = Object { owner: "org.a11y.Bus".to_owned(), path: "/org/a11y/bus".to_owned() };
    let address: String = call(&session, &launcher, "org.a11y.Bus", "GetAddress", &()).await.map_err(|error| {
        absent(
            format!("the session bus has no accessibility bus: {}", AccessError::from(error)),
            format!("{INSTALL}; {BRIDGE}"),
        )
    })?;
    // Toolkits that look at it show nothing before; where it cannot be told or set, those that do not look still answer.
    let enabled = property::<bool>(&session, &launcher, "org.a11y.Status", "IsEnabled").await;
    if let Ok(false) = enabled {
        let on = ("org.a11y.Status", "IsEnabled", Value::Bool(true));
        let _: Result<(), _> = call(&session, &launcher, PROPERTIES, "Set", &on).await;
    }
    Ok(address)
}

fn no_session(error: Error) -> AccessError {
    let reason = match env::var("DBUS_SESSION_BUS_ADDRESS") {
        Ok(address) if !address.is_empty() => format!("the session bus at `{address}` cannot be reached: {error}"),
        Ok(_) | Err(_) => format!("no session bus: DBUS_SESSION_BUS_ADDRESS is not set ({error})"),
    };
    absent(reason, format!("{SESSION}; {INSTALL}"))
}

fn absent(reason: String, hint: String) -> AccessError {
    AccessError::Absent { reason, hint }
}
