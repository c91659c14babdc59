//! What differs between systems: file identity, owners, kinds, and opening without waiting.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Whether the error is a chain of links without end.
pub(crate) fn is_link_loop(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    return {
        let _ = error;
        false
    };
}

/// Options that never wait for the other end of a pipe.
pub(crate) fn open_options() -> OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    options
}

/// Device and number of a file, equal for all its names; `None` where the system does not say.
pub(crate) fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    return {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    };
    #[cfg(not(unix))]
    return {
        let _ = metadata;
        None
    };
}

/// How many names the file has.
pub(crate) fn names(metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata);
    #[cfg(not(unix))]
    return {
        let _ = metadata;
        1
    };
}

/// Whether this is `/dev/null`, by whatever name.
pub(crate) fn is_null(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        metadata.file_type().is_char_device()
            && std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev())
    };
    #[cfg(not(unix))]
    return {
        let _ = metadata;
        false
    };
}

/// What a thing is that is neither file nor directory.
pub(crate) fn special(metadata: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "named pipe";
        }
        if kind.is_socket() {
            return "socket";
        }
    }
    let _ = metadata;
    "device"
}

/// Gives `file` owner and group of `model`; `false` when the system does not allow it.
pub(crate) fn keep_owner(file: &File, model: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let Ok(own) = file.metadata() else { return false };
        let owner = (own.uid() != model.uid()).then(|| rustix::fs::Uid::from_raw(model.uid()));
        let group = (own.gid() != model.gid()).then(|| rustix::fs::Gid::from_raw(model.gid()));
        (owner.is_none() && group.is_none()) || rustix::fs::fchown(file, owner, group).is_ok()
    }
    #[cfg(not(unix))]
    {
        let _ = (file, model);
        true
    }
}

/// Gives `file` the extended attributes of the file at `model`, access lists among them; `false` when one of them cannot be given.
pub(crate) fn keep_attributes(file: &File, model: &Path) -> bool {
    #[cfg(target_os = "linux")]
    return attributes::keep(file, model).is_ok();
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, model);
        true
    }
}

/// The permissions of a new file, before the umask.
pub(crate) fn new_file() -> Option<std::fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

/// The permissions a copy takes over: those for reading, writing and running, without set-user-id and its like.
pub(crate) fn copied(model: &Metadata) -> std::fs::Permissions {
    #[cfg(unix)]
    return {
        use std::os::unix::fs::PermissionsExt;
        PermissionsExt::from_mode(model.permissions().mode() & 0o777)
    };
    #[cfg(not(unix))]
    return model.permissions();
}

/// Whether a rename failed because the target is a mount point.
pub(crate) fn is_busy(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ResourceBusy
}

#[cfg(target_os = "linux")]
mod attributes {
    use std::ffi::CStr;
    use std::fs::File;
    use std::path::Path;

    use rustix::fs::{XattrFlags, fgetxattr, fsetxattr, getxattr, listxattr};
    use rustix::io::Errno;

    /// The most bytes of all names, and of one value: the limits of Linux.
    const LIMIT: usize = 1 << 16;

    pub(super) fn keep(file: &File, model: &Path) -> Result<(), Errno> {
        let mut names = Vec::new();
        match filled(&mut names, |buffer| listxattr(model, buffer)) {
            // A file system without them.
            Err(Errno::NOTSUP) => return Ok(()),
            other => other?,
        }
        let (mut wanted, mut present) = (Vec::new(), Vec::new());
        for name in names.split_inclusive(|byte| *byte == 0) {
            let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
            filled(&mut wanted, |buffer| getxattr(model, name, buffer))?;
            // A label the system gives to every file may not be set, and need not be when it is the same.
            if filled(&mut present, |buffer| fgetxattr(file, name, buffer)).is_err() || present != wanted {
                fsetxattr(file, name, &wanted, XattrFlags::empty())?;
            }
        }
        Ok(())
    }

    /// Fills `bytes` with what `read` gives.
    fn filled(bytes: &mut Vec<u8>, read: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<(), Errno> {
        bytes.resize(LIMIT, 0);
        let count = read(bytes)?;
        bytes.truncate(count);
        Ok(())
    }
}
