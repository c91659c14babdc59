//! What a run that was killed could not put back of the keyboard's map and its locks: it is written on the root window while it is so, and the next run that has the input lock
//! puts it back.

use x11rb::connection::Connection;
use x11rb::protocol::xkb::KeySymMap;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, GetPropertyReply, PropMode};
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::error::DesktopError;
use crate::desktop::x11::X11;
use crate::desktop::x11::input::borrow::Loan;
use crate::desktop::x11::input::quiet::{Locks, Quiet};

/// The form of the note.
const VERSION: u32 = 1;
/// Longest note that is read, in units of 4 bytes.
pub const LONGEST: u32 = 1 << 16;

impl X11 {
    /// Writes down, or rubs out, what would be left over if this run were killed now.
    pub(super) fn note_leftover(&self) -> Result<(), DesktopError> {
        let Some(ready) = &self.input.ready else { return Ok(()) };
        let locks = self.input.quiet.as_ref().map(|quiet: &Quiet| (quiet.before, quiet.now));
        let locks = locks.filter(|(before, now)| before != now);
        if locks.is_none() && self.input.loans.is_empty() {
            self.conn.delete_property(self.root, ready.atoms._MACROCLI_LEFTOVER)?;
        } else {
            let (before, now) = locks.unwrap_or_default();
            let note = write(before, now, &self.input.loans);
            let property = ready.atoms._MACROCLI_LEFTOVER;
            self.conn.change_property32(PropMode::REPLACE, self.root, property, AtomEnum::CARDINAL, &note)?;
        }
        Ok(())
    }

    /// Puts back what an earlier run left over. Only a run that has the lock may: nobody else is at work then.
    pub(super) fn put_back_leftover(&mut self, note: &GetPropertyReply) -> Result<(), DesktopError> {
        if note.type_ == x11rb::NONE {
            return Ok(());
        }
        if let Some((before, now, loans)) = note.value32().and_then(|values| read(&values.collect::<Vec<u32>>())) {
            self.input.loans = loans;
            self.input.quiet = Some(Quiet::between(before, now));
            // Each is tried, whatever became of the other.
            let returned = self.return_loans();
            self.unhush()?;
            returned?;
        }
        // The note stays until all is put back, so that it outlives a run that is killed meanwhile.
        self.note_leftover()?;
        self.conn.flush()?;
        Ok(())
    }
}

fn write(before: Locks, now: Locks, loans: &[Loan]) -> Vec<u32> {
    let count = |length: usize| u32::try_from(length).unwrap_or(0);
    let mut note = vec![VERSION, pack(before), pack(now), count(loans.len())];
    for loan in loans {
        let [a, b, c, d] = loan.before.kt_index;
        note.extend([u32::from(loan.keycode), u32::from_le_bytes([a, b, c, d])]);
        note.extend([u32::from(loan.before.group_info), u32::from(loan.before.width)]);
        for list in [&loan.before.syms, &loan.now] {
            note.push(count(list.len()));
            note.extend(list);
        }
    }
    note
}

fn read(note: &[u32]) -> Option<(Locks, Locks, Vec<Loan>)> {
    let mut values = note.iter().copied();
    if values.next()? != VERSION {
        return None;
    }
    let (before, now) = (unpack(values.next()?), unpack(values.next()?));
    let count = values.next().filter(|count| *count <= 256)?;
    let mut loans = Vec::new();
    for _ in 0..count {
        let keycode = u8::try_from(values.next()?).ok()?;
        let kt_index = values.next()?.to_le_bytes();
        let group_info = u8::try_from(values.next()?).ok()?;
        let width = u8::try_from(values.next()?).ok()?;
        let syms = list(&mut values)?;
        let now = list(&mut values)?;
        // Whoever wrote this may not be us, and the display would refuse it.
        if syms.len() != usize::from(width) * usize::from(group_info & 0x0f) {
            return None;
        }
        loans.push(Loan { keycode, before: KeySymMap { kt_index, group_info, width, syms }, now });
    }
    Some((before, now, loans))
}

fn list(values: &mut impl Iterator<Item = u32>) -> Option<Vec<u32>> {
    let count = usize::try_from(values.next()?).ok().filter(|count| *count <= 1024)?;
    let list: Vec<u32> = values.take(count).collect();
    (list.len() == count).then_some(list)
}

fn pack(locks: Locks) -> u32 {
    u32::from(locks.modifiers) | u32::from(locks.group) << 8
}

fn unpack(packed: u32) -> Locks {
    let [modifiers, group, ..] = packed.to_le_bytes();
    Locks { modifiers, group: group & 3 }
}

#[cfg(test)]
mod tests {
    use x11rb::protocol::xkb::KeySymMap;

    use crate::desktop::x11::input::borrow::Loan;
    use crate::desktop::x11::input::leftover::{read, write};
    use crate::desktop::x11::input::quiet::Locks;

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let empty = KeySymMap { kt_index: [0; 4], group_info: 0, width: 0, syms: Vec::new() };
        let full = KeySymMap { kt_index: [1, 2, 0, 0], group_info: 2, width: 2, syms: vec![0, 0, 5, 6] };
        let loans = [
            Loan { keycode: 8, before: empty, now: vec![0x0100_20ac] },
            Loan { keycode: 255, before: full, now: vec![1, 2] },
        ];
        let (off, on) = (Locks { modifiers: 2, group: 1 }, Locks { modifiers: 0, group: 0 });
        let note = write(off, on, &loans);
        let (before, now, found) = read(&note).unwrap();
        assert_eq!((before, now), (off, on));
        for (found, loan) in found.iter().zip(&loans) {
            assert_eq!((found.keycode, &found.now, &found.before.syms), (loan.keycode, &loan.now, &loan.before.syms));
            assert_eq!((found.before.kt_index, found.before.width), (loan.before.kt_index, loan.before.width));
        }
        // A part of a note, or another one, is none.
        assert!((0..note.len()).all(|length| read(&note[..length]).is_none()));
        assert!(read(&[2, 0, 0, 0]).is_none() && read(&[1, 0, 0, u32::MAX]).is_none());
    }
}
