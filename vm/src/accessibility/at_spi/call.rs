//! One call on the bus.

use serde::Serialize;
use zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedObjectPath, OwnedValue};
use zbus::{Connection, Error};

use crate::accessibility::client::Object;
use crate::accessibility::error::AccessError;

/// The interface every control has.
pub const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
/// The interface of properties of all interfaces.
pub const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// A control as messages carry it: its connection and its path.
pub type Reference = (String, OwnedObjectPath);

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The one that was asked is no longer on the bus.
    Ended,
    /// It does not know the object.
    Gone,
    /// It does not know the method or the interface.
    Unknown,
    /// It said no, or its answer makes no sense.
    Failed(String),
}

/// Calls a method. Nothing bounds it: the caller does.
///
/// # Errors
/// See [`CallError`].
pub async fn call<B, R>(
    conn: &Connection,
    object: &Object,
    interface: &str,
    method: &str,
    body: &B,
) -> Result<R, CallError>
where
    B: Serialize + DynamicType,
    R: for<'d> DynamicDeserialize<'d>,
{
    let path = ObjectPath::try_from(object.path.as_str()).map_err(|_| CallError::Gone)?;
    let reply = conn.call_method(Some(object.owner.as_str()), &path, Some(interface), method, body).await?;
    Ok(reply.body().deserialize()?)
}

/// Reads a property.
///
/// # Errors
/// See [`CallError`].
pub async fn property<T>(conn: &Connection, object: &Object, interface: &str, name: &str) -> Result<T, CallError>
where
    T: TryFrom<OwnedValue>,
{
    let value: OwnedValue = match call(conn, object, PROPERTIES, "Get", &(interface, name)).await {
        // What GTK's bridge says of an interface that a control does not have.
        Err(CallError::Failed(message)) if message == "Get failed" => return Err(CallError::Unknown),
        value => value?,
    };
    T::try_from(value).map_err(|_| CallError::Failed(format!("its `{name}` is of another kind")))
}

/// What an optional interface answers: `None` when the object does not have it.
///
/// # Errors
/// All but those that mean that.
pub fn offered<T>(answer: Result<T, CallError>) -> Result<Option<T>, AccessError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(CallError::Unknown) => Ok(None),
        Err(error @ (CallError::Ended | CallError::Gone | CallError::Failed(_))) => Err(error.into()),
    }
}

/// What is left of the answers of many objects when some of them have gone.
///
/// # Errors
/// [`CallError::Ended`] alone.
pub fn present<T>(answer: Result<T, CallError>) -> Result<Option<T>, CallError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(CallError::Ended) => Err(CallError::Ended),
        Err(CallError::Gone | CallError::Unknown | CallError::Failed(_)) => Ok(None),
    }
}

/// The object of a reference; none for the null object.
pub fn object((owner, path): Reference) -> Option<Object> {
    let path = path.as_str();
    let null = owner.is_empty() || path.ends_with("/null");
    (!null).then(|| Object { owner, path: path.to_owned() })
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        let Error::MethodError(name, text, _) = &error else { return Self::Failed(error.to_string()) };
        let name = name.as_str();
        match name.strip_prefix("org.freedesktop.DBus.Error.").unwrap_or(name) {
            "ServiceUnknown" | "NameHasNoOwner" | "NoReply" | "Disconnected" => Self::Ended,
            "UnknownObject" => Self::Gone,
            "UnknownMethod" | "UnknownInterface" | "UnknownProperty" | "NotSupported" => Self::Unknown,
            _ => Self::Failed(text.clone().unwrap_or_else(|| name.to_owned())),
        }
    }
}

impl From<CallError> for AccessError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Ended => Self::Ended("the application".to_owned()),
            CallError::Gone => Self::Gone,
            CallError::Unknown => Self::Refused("the application does not offer this".to_owned()),
            CallError::Failed(message) => Self::Refused(format!("the application answers: {message}")),
        }
    }
}
