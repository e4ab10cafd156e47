//! The serial port, or any file in its place, as bytes with a deadline.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::{FileType, OFlags};
use rustix::termios::{isatty, tcgetattr, tcsetattr, ControlModes, OptionalActions, SpecialCodeIndex};

pub struct Port {
    file: File,
    buffer: Box<[u8; 65_536]>,
}

impl Port {
    /// Opens `path`; if it is a terminal, sets it to `baud`, 8 data bits, no parity, 1 stop bit, no flow control, raw.
    pub fn open(path: &Path, baud: u32) -> io::Result<Port> {
        // Without waiting for a carrier, and without making the port this process's controlling terminal.
        let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // A pipe, in contrast, is waited for: until somebody writes to it, it would look ended.
        let pipe = rustix::fs::stat(path).is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Fifo);
        let flags = if pipe { flags - OFlags::NONBLOCK } else { flags };
        let file = File::from(rustix::fs::open(path, flags, rustix::fs::Mode::empty())?);
        if isatty(&file) {
            let mut settings = tcgetattr(&file)?;
            settings.make_raw();
            settings.control_modes -= ControlModes::PARENB | ControlModes::CSTOPB | ControlModes::CRTSCTS;
            // HUPCL would drop DTR at every close and so reset an Arduino once more.
            settings.control_modes -= ControlModes::HUPCL;
            settings.control_modes |= ControlModes::CS8 | ControlModes::CREAD | ControlModes::CLOCAL;
            settings.special_codes[SpecialCodeIndex::VMIN] = 1;
            settings.special_codes[SpecialCodeIndex::VTIME] = 0;
            settings.set_speed(baud)?;
            tcsetattr(&file, OptionalActions::Now, &settings)?;
        }
        Ok(Port {
            file,
            buffer: Box::new([0; 65_536]),
        })
    }

    /// Standard input in the place of a port.
    pub fn standard_input() -> io::Result<Port> {
        let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Port {
            file,
            buffer: Box::new([0; 65_536]),
        })
    }

    /// What has arrived, waiting for at most `timeout`; None if nothing has. An error is the end: of a file, or a port unplugged.
    pub fn read(&mut self, timeout: Duration) -> io::Result<Option<&[u8]>> {
        let timeout = Timespec {
            tv_sec: timeout.as_secs() as i64,
            tv_nsec: i64::from(timeout.subsec_nanos()),
        };
        let mut waiting = [PollFd::new(&self.file, PollFlags::IN)];
        match poll(&mut waiting, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => (),
            Err(wrong) => return Err(wrong.into()),
        }
        match self.file.read(&mut self.buffer[..]) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(Some(&self.buffer[..count])),
            Err(wrong) if matches!(wrong.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(None),
            Err(wrong) => Err(wrong),
        }
    }
}
