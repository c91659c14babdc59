//! Pictures of the screen at failures, for those who ask for them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::desktop::{Desktop, DesktopError, Rect};
use crate::picture::Picture;
use crate::stop::Stop;
use crate::world::Call;

/// How long a picture may take; a failure is told even when the display hangs.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most bytes of a name that come from the macro.
const MAX_NAME: usize = 80;

/// Where pictures go.
#[derive(Debug)]
pub struct Keep {
    folder: PathBuf,
}

impl Keep {
    /// Into this folder, which is made when it is needed.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Saves the whole screen with a frame around `best`, under a new name, and returns its path.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn save(
        &self,
        desktop: &mut dyn Desktop,
        best: Option<Rect>,
        stop: &Stop<'_>,
        call: &Call<'_>,
    ) -> Result<String, String> {
        desktop.limit(&Stop::within(PATIENCE, call.interrupt));
        let taken = whole(desktop);
        desktop.limit(stop);
        let (screen, mut picture) = taken.map_err(|error| error.to_string())?;
        if let Some(best) = best {
            picture.outline(Rect { x: best.x.saturating_sub(screen.x), y: best.y.saturating_sub(screen.y), ..best });
        }
        let bytes = picture.png().map_err(|error| error.to_string())?;
        let name = format!("{}-{}", name(call), time(SystemTime::now()));
        self.write(&name, &bytes).map_err(|error| format!("`{}`: {error}", self.folder.display()))
    }

    /// Writes beside, then takes a name that nobody has.
    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<String> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new().prefix(".macrocli-").suffix(".tmp").tempfile_in(&self.folder)?;
        file.write_all(bytes)?;
        let mut number = 1u32;
        loop {
            let name = if number == 1 { format!("{name}.png") } else { format!("{name}-{number}.png") };
            let path: &Path = &self.folder.join(name);
            match file.persist_noclobber(path) {
                Ok(_) => return Ok(path.to_string_lossy().into_owned()),
                Err(taken) if taken.error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => {
                    file = taken.file;
                    number += 1;
                }
                Err(failed) => return Err(failed.error),
            }
        }
    }
}

fn whole(desktop: &mut dyn Desktop) -> Result<(Rect, Picture), DesktopError> {
    let screen = desktop.desktop_area()?;
    Ok((screen, Picture::of(&desktop.capture(screen)?)))
}

/// The macro and its step, in letters every file system takes.
fn name(call: &Call<'_>) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "-._".contains(letter) { letter } else { '_' };
    let mut name: String = format!("{}-{}", call.macro_name, call.step).chars().map(plain).take(MAX_NAME).collect();
    if name.starts_with(['.', '-']) {
        name.insert(0, '_');
    }
    name
}

/// A moment in UTC, to the millisecond: `20260131T235959.042Z`.
fn time(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}.{:03}Z", since.subsec_millis())
}

/// Year, month and day of the Gregorian calendar, so many days after 1 January 1970.
///
/// Years begin in March here, so that a leap day is the last of its year: months then have 153 days in each five of them.
fn date(days: u64) -> (u64, u64, u64) {
    // From 1 March of the year 0; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day - (153 * march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use crate::locate::keep::{Keep, date, time};

    #[test]
    fn moments_are_told_in_utc() {
        assert_eq!(time(UNIX_EPOCH), "19700101T000000.000Z");
        assert_eq!(time(UNIX_EPOCH + Duration::from_millis(1_709_251_199_042)), "20240229T235959.042Z");
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_453), (2025, 12, 31));
    }

    #[test]
    fn no_picture_takes_the_name_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Keep::new(folder.path().join("made/when/needed"));
        let (first, second) = (keep.write("m-s", b"1").unwrap(), keep.write("m-s", b"2").unwrap());
        assert!(first.ends_with("m-s.png") && second.ends_with("m-s-2.png"), "{first} {second}");
        assert_eq!(std::fs::read(first).unwrap(), b"1");
        assert_eq!(std::fs::read_dir(folder.path().join("made/when/needed")).unwrap().count(), 2);
    }
}
