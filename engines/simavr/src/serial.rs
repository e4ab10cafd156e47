//! The host's end of the UART: standard input and output, a pseudo-terminal, or nothing.

use std::collections::VecDeque;
use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::mpsc::{channel, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::Duration;

use crate::options::UartMode;

/// Duplicates standard output for the UART and sends everything else that the process (simavr is C)
/// prints there to standard error.
pub fn take_standard_output() -> io::Result<File> {
    // SAFETY: descriptors 1 and 2 belong to this process; the copy belongs to the `File`.
    unsafe {
        let copy = checked(libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3))?;
        checked(libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO))?;
        Ok(File::from_raw_fd(copy))
    }
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Bytes from and to the host. A thread of its own reads, so that a host that writes much before it
/// reads cannot block a device that answers.
pub struct Port {
    received: Option<Receiver<Vec<u8>>>,
    waiting: VecDeque<u8>,
    output: Option<File>,
    pty: Option<Pty>,
}

struct Pty {
    path: String,
    /// Held open so that the terminal stays raw, and the device's side alive, while no client is there.
    _client_side: File,
}

pub fn open(mode: UartMode, standard_output: File) -> io::Result<Port> {
    match mode {
        UartMode::Stdio => {
            // SAFETY: nothing else in this program reads standard input.
            let input = unsafe { File::from_raw_fd(libc::STDIN_FILENO) };
            Ok(Port::over(input, standard_output, None))
        }
        UartMode::Pty => pseudo_terminal(),
        UartMode::None => Ok(one_way(None)),
    }
}

pub fn pseudo_terminal() -> io::Result<Port> {
    let (device_side, pty) = open_pty()?;
    let input = device_side.try_clone()?;
    Ok(Port::over(input, device_side, Some(pty)))
}

/// A port that never receives; what the device sends goes to a file or nowhere.
pub fn one_way(output: Option<File>) -> Port {
    Port {
        received: None,
        waiting: VecDeque::new(),
        output,
        pty: None,
    }
}

fn open_pty() -> io::Result<(File, Pty)> {
    let mut device = 0;
    let mut client = 0;
    let mut name = [0 as libc::c_char; 64];
    // SAFETY: openpty fills two descriptors and a name, which on Linux is at most "/dev/pts/" and a
    // number; the descriptors then belong to the files made of them.
    unsafe {
        checked(libc::openpty(
            &mut device,
            &mut client,
            name.as_mut_ptr(),
            std::ptr::null(),
            std::ptr::null(),
        ))?;
        let device_side = File::from_raw_fd(device);
        let client_side = File::from_raw_fd(client);
        let mut raw: libc::termios = std::mem::zeroed();
        checked(libc::tcgetattr(client, &mut raw))?;
        libc::cfmakeraw(&mut raw);
        checked(libc::tcsetattr(client, libc::TCSANOW, &raw))?;
        let path = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
        Ok((
            device_side,
            Pty {
                path,
                _client_side: client_side,
            },
        ))
    }
}

impl Port {
    fn over(input: File, output: File, pty: Option<Pty>) -> Port {
        let (sender, receiver) = channel();
        thread::spawn(move || read_all(input, sender));
        Port {
            received: Some(receiver),
            waiting: VecDeque::new(),
            output: Some(output),
            pty,
        }
    }

    pub fn pty_path(&self) -> Option<&str> {
        self.pty.as_ref().map(|pty| pty.path.as_str())
    }

    /// Takes what has arrived, without waiting. False once the input has ended and is used up.
    pub fn poll(&mut self) -> bool {
        while let Some(receiver) = &self.received {
            match receiver.try_recv() {
                Ok(bytes) => self.waiting.extend(bytes),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.received = None,
            }
        }
        self.received.is_some() || !self.waiting.is_empty()
    }

    /// Waits until a byte is there. False if none will ever come.
    pub fn wait(&mut self) -> bool {
        while self.waiting.is_empty() {
            match self.received.as_ref().map(Receiver::recv) {
                Some(Ok(bytes)) => self.waiting.extend(bytes),
                _ => {
                    self.received = None;
                    return false;
                }
            }
        }
        true
    }

    /// Waits until a byte is there, the input has ended, or this much time has passed.
    pub fn wait_for(&mut self, longest: Duration) {
        if self.waiting.is_empty() {
            if let Some(Ok(bytes)) = self.received.as_ref().map(|receiver| receiver.recv_timeout(longest)) {
                self.waiting.extend(bytes);
            }
        }
    }

    /// Bytes for the device from the program itself.
    pub fn give(&mut self, bytes: &[u8]) {
        self.waiting.extend(bytes);
    }

    pub fn next_byte(&mut self) -> Option<u8> {
        self.waiting.pop_front()
    }

    pub fn has_byte(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.output {
            Some(output) => output.write_all(bytes),
            None => Ok(()),
        }
    }

    /// As `write`, but never waits: answers how many bytes went out before there was no room for the next.
    pub fn offer(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(output) = &mut self.output else {
            return Ok(bytes.len());
        };
        for (index, byte) in bytes.iter().enumerate() {
            let mut asked = libc::pollfd {
                fd: output.as_raw_fd(),
                events: libc::POLLOUT,
                revents: 0,
            };
            // SAFETY: one descriptor, which this port holds open.
            if unsafe { libc::poll(&mut asked, 1, 0) } < 1 {
                return Ok(index);
            }
            output.write_all(std::slice::from_ref(byte))?;
        }
        Ok(bytes.len())
    }
}

fn read_all(mut input: File, sender: Sender<Vec<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
