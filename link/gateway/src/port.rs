//! The serial port, or any file in its place, as bytes with a deadline.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::OFlags;
use rustix::termios::{isatty, tcgetattr, tcsetattr, ControlModes, OptionalActions, SpecialCodeIndex};

pub struct Port {
    file: File,
    buffer: Box<[u8; 65_536]>,
    /// Whether there is something at the other end that listens.
    writes: bool,
}

impl Port {
    /// Opens a serial port at `baud`: 8 data bits, no parity, 1 stop bit, no flow control, raw.
    pub fn serial(path: &Path, baud: u32) -> io::Result<Port> {
        // Without waiting for a carrier, and without making the port this process's controlling terminal.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(path, flags, rustix::fs::Mode::empty())?);
        if !isatty(&file) {
            return Err(io::Error::other("not a serial port"));
        }
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
        Ok(Port {
            writes: true,
            ..Port::new(file)
        })
    }

    /// Opens a file or a pipe; a pipe is waited for until somebody writes to it.
    pub fn input(path: &Path) -> io::Result<Port> {
        Ok(Port::new(File::open(path)?))
    }

    /// Standard input in the place of a port.
    pub fn standard_input() -> io::Result<Port> {
        Ok(Port::new(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
    }

    fn new(file: File) -> Port {
        Port {
            file,
            buffer: Box::new([0; 65_536]),
            writes: false,
        }
    }

    /// Sends a message, if there is room for it at once: what is late is of no use.
    pub fn send(&mut self, message: &[u8]) -> bool {
        self.writes && matches!(self.file.write(message), Ok(count) if count == message.len())
    }

    /// What has arrived, waiting for at most `timeout`; None if nothing has. An error is the end: of a file, or a port
    /// unplugged.
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
