//! Asking and changing one control.

use futures_util::stream::{self, StreamExt, TryStreamExt};
use zbus::Connection;
use zbus::zvariant::Value;

use crate::accessibility::at_spi::call::{
    ACCESSIBLE, CallError, PROPERTIES, Reference, call, object, offered, present, property,
};
use crate::accessibility::client::{Action, Area, Object};
use crate::accessibility::error::AccessError;
use crate::accessibility::tree::States;

/// The interface of what can be done.
pub const ACTION: &str = "org.a11y.atspi.Action";
const COMPONENT: &str = "org.a11y.atspi.Component";
const EDITABLE: &str = "org.a11y.atspi.EditableText";
const SELECTION: &str = "org.a11y.atspi.Selection";
const TABLE: &str = "org.a11y.atspi.Table";
const TEXT: &str = "org.a11y.atspi.Text";
const VALUE: &str = "org.a11y.atspi.Value";

/// `ATSPI_COORD_TYPE_WINDOW`: places are counted from the window's corner, which every toolkit knows; under some displays none knows
/// where its window is on the screen.
const IN_WINDOW: u32 = 1;

/// Most actions of one control that are looked at.
const MAX_ACTIONS: i32 = 16;

/// How many calls are under way at once.
const AT_ONCE: usize = 256;

/// The name of a role, by its number.
pub fn role_name(number: u32) -> &'static str {
    atspi::Role::try_from(number).map_or("unknown", |role| role.name())
}

/// The states of a control from the two halves AT-SPI sends.
pub fn bits(halves: &[u32]) -> u64 {
    let half = |place: usize| u64::from(halves.get(place).copied().unwrap_or(0));
    half(0) | half(1) << 32
}

/// The states of a control.
pub async fn states(conn: &Connection, control: &Object) -> Result<States, AccessError> {
    let halves: Vec<u32> = call(conn, control, ACCESSIBLE, "GetState", &()).await?;
    Ok(States(bits(&halves)))
}

/// The name of a control.
pub async fn name(conn: &Connection, control: &Object) -> Result<String, AccessError> {
    Ok(property(conn, control, ACCESSIBLE, "Name").await?)
}

/// For each control, those it has this relation to.
pub async fn related(
    conn: &Connection,
    controls: &[Object],
    relation: atspi::RelationType,
) -> Result<Vec<Vec<Object>>, AccessError> {
    let wanted = relation as u32;
    let each = controls.iter().map(async |control| {
        let all = call::<_, Vec<(u32, Vec<Reference>)>>(conn, control, ACCESSIBLE, "GetRelationSet", &()).await;
        let all = present(all)?.unwrap_or_default().into_iter();
        let targets = all.filter(|(kind, _)| *kind == wanted).flat_map(|(_, targets)| targets);
        Ok::<_, CallError>(targets.filter_map(object).collect())
    });
    Ok(stream::iter(each).buffered(AT_ONCE).try_collect().await?)
}

/// Where controls are in their windows.
pub async fn areas(conn: &Connection, controls: &[Object]) -> Result<Vec<Option<Area>>, AccessError> {
    let each = controls.iter().map(async |control| {
        let area = call::<_, (i32, i32, i32, i32)>(conn, control, COMPONENT, "GetExtents", &IN_WINDOW).await;
        let area = present(area)?.filter(|(_, _, width, height)| *width > 0 && *height > 0);
        Ok::<_, CallError>(area.map(|(x, y, width, height)| Area { x, y, width, height }))
    });
    Ok(stream::iter(each).buffered(AT_ONCE).try_collect().await?)
}

/// Whether a control has an interface; one that does not say is asked as if it had. Toolkits complain of being asked for what is not there.
async fn has(conn: &Connection, control: &Object, interface: &str) -> Result<bool, AccessError> {
    let all = call::<_, Vec<String>>(conn, control, ACCESSIBLE, "GetInterfaces", &()).await;
    Ok(offered(all)?.is_none_or(|all| all.iter().any(|one| one == interface)))
}

/// What can be done with a control.
pub async fn actions(conn: &Connection, control: &Object) -> Result<Vec<Action>, AccessError> {
    if !has(conn, control, ACTION).await? {
        return Ok(Vec::new());
    }
    let count = offered(property::<i32>(conn, control, ACTION, "NActions").await)?.unwrap_or(0);
    let each = (0..count.min(MAX_ACTIONS)).map(async |index| {
        let name = present(call::<_, String>(conn, control, ACTION, "GetName", &index).await)?;
        Ok::<_, CallError>(name.map(|name| Action { index, name }))
    });
    let all: Vec<Option<Action>> = stream::iter(each).buffered(AT_ONCE).try_collect().await?;
    Ok(all.into_iter().flatten().collect())
}

/// The text of a control.
pub async fn text(conn: &Connection, control: &Object, limit: i32) -> Result<Option<String>, AccessError> {
    if !has(conn, control, TEXT).await? {
        return Ok(None);
    }
    let Some(count) = offered(property::<i32>(conn, control, TEXT, "CharacterCount").await)? else {
        return Ok(None);
    };
    offered(call(conn, control, TEXT, "GetText", &(0i32, count.min(limit))).await)
}

/// Replaces the text of a control.
pub async fn set_text(conn: &Connection, control: &Object, text: &str) -> Result<Option<bool>, AccessError> {
    if !has(conn, control, EDITABLE).await? {
        return Ok(None);
    }
    offered(call(conn, control, EDITABLE, "SetTextContents", &text).await)
}

/// The value of a control.
pub async fn value(conn: &Connection, control: &Object) -> Result<Option<f64>, AccessError> {
    if !has(conn, control, VALUE).await? {
        return Ok(None);
    }
    offered(property(conn, control, VALUE, "CurrentValue").await)
}

/// Changes the value of a control.
pub async fn set_value(conn: &Connection, control: &Object, value: f64) -> Result<(), AccessError> {
    Ok(call(conn, control, PROPERTIES, "Set", &(VALUE, "CurrentValue", Value::F64(value))).await?)
}

/// Selects a child of a control.
pub async fn select_child(conn: &Connection, control: &Object, place: i32) -> Result<Option<bool>, AccessError> {
    if !has(conn, control, SELECTION).await? {
        return Ok(None);
    }
    offered(call(conn, control, SELECTION, "SelectChild", &place).await)
}

/// Selects the row a cell is in.
pub async fn select_row(conn: &Connection, table: &Object, cell: i32) -> Result<Option<bool>, AccessError> {
    if !has(conn, table, TABLE).await? {
        return Ok(None);
    }
    let Some(row) = offered(call::<_, i32>(conn, table, TABLE, "GetRowAtIndex", &cell).await)? else {
        return Ok(None);
    };
    offered(call(conn, table, TABLE, "AddRowSelection", &row).await)
}

/// The selected child of a control.
pub async fn selected_child(conn: &Connection, control: &Object) -> Result<Option<Object>, AccessError> {
    if !has(conn, control, SELECTION).await? {
        return Ok(None);
    }
    let child = present(call::<_, Reference>(conn, control, SELECTION, "GetSelectedChild", &0i32).await)?;
    Ok(child.and_then(object))
}

/// Gives a control the keyboard.
pub async fn focus(conn: &Connection, control: &Object) -> Result<bool, AccessError> {
    if !has(conn, control, COMPONENT).await? {
        return Ok(false);
    }
    Ok(offered(call(conn, control, COMPONENT, "GrabFocus", &()).await)?.unwrap_or(false))
}
