//! The pointer and the keys, for a control and its window.

use spec::grammar::keys;
use spec::kind::MouseButton;

use crate::accessibility::{Application, Area, Client, Tree};
use crate::desktop::gesture::click;
use crate::desktop::{Point, Rect, SharedDesktop, Window};
use crate::failure::Failure;
use crate::stop::Stop;

/// Clicks in the middle of a control, after its window has been brought to the front.
///
/// # Errors
/// The control has no place, or its window is not found.
pub fn click_middle(
    client: &mut dyn Client,
    desktop: &SharedDesktop,
    application: &Application,
    tree: &Tree,
    control: usize,
    stop: &Stop<'_>,
) -> Result<(), Failure> {
    raise(desktop, application, tree, control, stop)?;
    let node = tree.get(control).ok_or_else(|| Failure::step("the control is gone"))?;
    let frame = tree.window_of(control).ok_or_else(|| Failure::step("the control is in no window"))?;
    let areas = client.areas(&[node.object.clone(), frame.object.clone()], stop)?;
    let [Some(control_area), frame_area] = areas.as_slice() else {
        return Err(Failure::step(format!("`{}` does not say where `{}` is", application.name, node.name)));
    };
    // Fresh: raising may have moved it.
    let window = window(desktop, application, &frame.name, stop)?;
    let at = place(*control_area, *frame_area, window.area);
    Ok(click(&mut *desktop.get(stop)?, at, MouseButton::Left, false, stop)?)
}

/// Gives the window of a control the keyboard.
///
/// # Errors
/// The window is not found, or something else keeps the keyboard.
pub fn raise(
    desktop: &SharedDesktop,
    application: &Application,
    tree: &Tree,
    control: usize,
    stop: &Stop<'_>,
) -> Result<(), Failure> {
    let title = tree.window_of(control).map(|window| window.name.as_str()).unwrap_or_default();
    let window = window(desktop, application, title, stop)?;
    let mut desktop = desktop.get(stop)?;
    if desktop.active_window()? != Some(window.id) {
        desktop.focus_window(window.id, stop)?;
    }
    Ok(())
}

/// Presses a chord.
///
/// # Errors
/// The display cannot.
pub fn key(desktop: &SharedDesktop, name: &str, stop: &Stop<'_>) -> Result<(), Failure> {
    let chord = keys::parse(name).map_err(|error| Failure::step(error.to_string()))?;
    let mut desktop = desktop.get(stop)?;
    desktop.chord(chord, stop)?;
    Ok(desktop.sync()?)
}

/// The window of the display that an accessible window is: of the same process and, when that has several, of the same title.
fn window(desktop: &SharedDesktop, application: &Application, title: &str, stop: &Stop<'_>) -> Result<Window, Failure> {
    let all = desktop.get(stop)?.windows()?;
    let own: Vec<_> = all.iter().filter(|window| window.pid.is_some() && window.pid == application.pid).collect();
    // A window may not say its process.
    let titled = own.iter().copied().chain(&all).find(|window| window.title == title);
    match (titled, own.as_slice()) {
        (Some(window), _) => Ok(window.clone()),
        (None, [window]) => Ok((*window).clone()),
        (None, _) => Err(Failure::step(format!("the display has no window `{title}` of {}", application.words()))),
    }
}

/// The pixel in the middle of a control, whose place is counted from the corner of the window's client area. Places by accessibility are in
/// the units of the toolkit, which may be larger than pixels; how much, the two widths of the window tell. (Where the accessible window
/// itself begins does not matter: some toolkits add the frame of the window manager to it.)
fn place(control: Area, frame: Option<Area>, window: Rect) -> Point {
    let factor = factor(frame.unwrap_or_default().width, window.width);
    let middle = |start: i32, length: i32| ((f64::from(start) + f64::from(length) / 2.0) * factor).floor();
    let at = |start: i32, offset: f64| start.saturating_add(clamp(offset));
    Point { x: at(window.x, middle(control.x, control.width)), y: at(window.y, middle(control.y, control.height)) }
}

#[allow(clippy::cast_possible_truncation)] // A cast of a float saturates.
fn clamp(value: f64) -> i32 {
    value as i32
}

/// Pixels for each unit of a toolkit, to the nearest quarter; 1 when it cannot be told.
fn factor(units: i32, pixels: u32) -> f64 {
    if units <= 0 {
        return 1.0;
    }
    let factor = (f64::from(pixels) / f64::from(units) * 4.0).round() / 4.0;
    if factor > 0.0 { factor } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use crate::accessibility::Area;
    use crate::backends::semantic_ui::pointer::place;
    use crate::desktop::{Point, Rect};

    #[test]
    fn units_become_pixels() {
        let control = Area { x: 100, y: 40, width: 20, height: 10 };
        let frame = Some(Area { x: 0, y: 0, width: 400, height: 200 });
        let window = |width, height| Rect { x: 50, y: 60, width, height };
        assert_eq!(place(control, frame, window(400, 200)), Point { x: 160, y: 105 });
        assert_eq!(place(control, frame, window(800, 400)), Point { x: 270, y: 150 });
        assert_eq!(place(control, frame, window(402, 200)), Point { x: 160, y: 105 });
        assert_eq!(place(control, None, window(400, 200)), Point { x: 160, y: 105 });
        let framed = Some(Area { x: -1, y: -20, width: 402, height: 225 });
        assert_eq!(place(control, framed, window(400, 200)), Point { x: 160, y: 105 });
        assert_eq!(place(control, framed, window(800, 400)), Point { x: 270, y: 150 });
    }
}
