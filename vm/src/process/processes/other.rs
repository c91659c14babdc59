//! The process list of other systems.

use std::io;

use sysinfo::{ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// Reports the processes of a name until `found` returns false.
pub(crate) fn scan(name: &str, mut found: impl FnMut(u32) -> bool) -> io::Result<()> {
    let mut system = System::new().map_err(|error| io::Error::other(error.to_string()))?;
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, ProcessRefreshKind::nothing().without_tasks());
    let own = std::process::id();
    for (pid, process) in system.processes() {
        let alive = !matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
        let pid = pid.as_u32();
        if pid != own && alive && is_name(process.name().to_string_lossy().as_ref(), name) && !found(pid) {
            break;
        }
    }
    Ok(())
}

/// On Windows the name may be given without `.exe`, and its case does not matter.
fn is_name(process: &str, name: &str) -> bool {
    if cfg!(windows) {
        let bare = process.len().checked_sub(4).and_then(|at| process.split_at_checked(at));
        let bare = bare.filter(|(_, end)| end.eq_ignore_ascii_case(".exe")).map(|(start, _)| start);
        return process.eq_ignore_ascii_case(name) || bare.is_some_and(|bare| bare.eq_ignore_ascii_case(name));
    }
    process == name
}
