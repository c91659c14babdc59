//! A recording and the screen there is: whether they belong together, and where its places are.

use spec::action::arguments;
use spec::artifact::{Event, EventKind};
use spec::kind::Scaling;

use crate::desktop::{Desktop, DesktopError, LAYOUT_PREFIX, Monitor, Point, Rect, layout_hash};
use crate::failure::Failure;
use crate::recording::Recording;
use crate::world::Warnings;

/// How places of a recording become places on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Width and height of the recording's screen and of this one, when places are scaled.
    scaled: Option<((u32, u32), (u32, u32))>,
}

impl Fit {
    /// How a recording fits the screen. What does not match is a failure when `layout_strict` is set, and a warning otherwise.
    ///
    /// # Errors
    /// It does not match, or one of its places is outside of every monitor.
    pub fn of(
        recording: &Recording<'_>,
        arguments: &arguments::Replay,
        desktop: &mut dyn Desktop,
        warnings: &Warnings,
    ) -> Result<Fit, Failure> {
        let stream = recording.stream;
        let area = desktop.desktop_area()?;
        let (own, here) = (stream.screen, (area.width, area.height));
        let known = own != (0, 0);
        let differs = known && own != here;
        if differs {
            let message = format!(
                "`{}` was recorded on a screen of {}x{} pixels, and this one has {}x{}",
                stream.path, own.0, own.1, here.0, here.1
            );
            if arguments.layout_strict {
                return Err(Failure::step(message).hint("use a screen of that size, or leave out `layout_strict`"));
            }
            if arguments.scale == Scaling::None {
                warnings.add(format!("{message}; places are not scaled"));
            }
        }
        if arguments.scale == Scaling::Proportional && !known {
            let path = &stream.path;
            warnings.add(format!("`{path}` does not say what screen it was made on; places are not scaled"));
        }
        layout(recording, arguments.layout_strict, desktop, warnings)?;
        let fit = Fit { scaled: (differs && arguments.scale == Scaling::Proportional).then_some((own, here)) };
        let monitors = desktop.monitors()?;
        fit.all_inside(recording, &monitors, area)?;
        Ok(fit)
    }

    /// Where an event takes the pointer.
    pub fn place(&self, event: &Event) -> Point {
        match self.scaled {
            None => Point { x: event.x, y: event.y },
            Some((own, here)) => Point { x: scale(event.x, own.0, here.0), y: scale(event.y, own.1, here.1) },
        }
    }

    fn all_inside(&self, recording: &Recording<'_>, monitors: &[Monitor], area: Rect) -> Result<(), Failure> {
        let moves = recording.stream.events.iter().filter(|event| event.kind == EventKind::Move);
        for event in moves {
            let point = self.place(event);
            if !monitors.iter().any(|monitor| monitor.area.contains(point)) {
                let place = recording.place(event);
                let failure = Failure::from(DesktopError::OffScreen { point, screen: area });
                let message = format!("{place}: {}", failure.message);
                return Err(Failure { message, ..failure }
                    .hint("with `scale: proportional` places follow the size of the screen"));
            }
        }
        Ok(())
    }
}

/// The layout is compared only when the recording has one, and without `layout_strict` only when it was made by this program.
fn layout(
    recording: &Recording<'_>,
    strict: bool,
    desktop: &mut dyn Desktop,
    warnings: &Warnings,
) -> Result<(), Failure> {
    let own = &recording.stream.layout_hash;
    if own.is_empty() || !(strict || own.starts_with(LAYOUT_PREFIX)) {
        return Ok(());
    }
    let here = layout_hash(desktop)?;
    if *own == here {
        return Ok(());
    }
    let path = &recording.stream.path;
    let message = format!("`{path}` was recorded with the layout `{own}`, and this desktop has `{here}`");
    if strict {
        return Err(Failure::step(message)
            .hint("use the keyboard layout and monitors of the recording, or leave out `layout_strict`"));
    }
    warnings.add(format!("{message}: the keyboard layout or the monitors are others"));
    Ok(())
}

/// The pixel whose middle is at the same part of the screen.
fn scale(at: i32, own: u32, here: u32) -> i32 {
    let middle = (f64::from(at) + 0.5) * f64::from(here) / f64::from(own);
    middle.floor() as i32
}

#[cfg(test)]
mod tests {
    use crate::backends::gui_macro::fit::scale;

    #[test]
    fn edges_stay_edges() {
        for (own, here) in [(1920, 1280), (1280, 1920), (800, 801), (1, 7), (7, 1)] {
            let first = scale(0, own, here);
            let last = scale(own as i32 - 1, own, here);
            assert!(first >= 0 && first <= (here / own) as i32, "{own} {here}");
            assert!(last < here as i32 && last >= here as i32 - 1 - (here / own) as i32, "{own} {here}");
        }
        assert_eq!([scale(960, 1920, 1280), scale(3, 10, 10)], [640, 3]);
    }
}
