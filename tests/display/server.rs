//! Xvfb, and the processes that live on it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::harness::{Call, Place};
use crate::witness::eventually;

/// What kind of display.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Bits of a pixel.
    pub depth: u32,
    /// Whether openbox runs on it.
    pub window_manager: bool,
    /// Whether there is a session bus with accessibility.
    pub bus: bool,
}

/// A running display; everything on it ends with it.
#[derive(Debug)]
pub struct Display {
    /// What `DISPLAY` must be.
    pub name: String,
    /// The process of the display server.
    pub server: u32,
    /// The process of the window manager, when there is one.
    pub manager: Option<u32>,
    bus: Option<String>,
    home: tempfile::TempDir,
    children: Vec<Child>,
}

impl Default for Options {
    fn default() -> Self {
        Self { size: (1280, 800), depth: 24, window_manager: true, bus: false }
    }
}

impl Display {
    /// A display of 1280x800 pixels with a window manager.
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    /// The same with a session bus, so that applications can be seen by accessibility.
    pub fn with_bus() -> Self {
        Self::with(Options { bus: true, ..Options::default() })
    }

    /// A display of this kind, ready for windows.
    pub fn with(options: Options) -> Self {
        let (width, height) = options.size;
        let screen = format!("{width}x{height}x{}", options.depth);
        let mut server = Command::new("Xvfb")
            // The server writes the number it chose to descriptor 1.
            .args(["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", &screen])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed by tests/run");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        let mut display = Self {
            name: format!(":{}", number.trim()),
            server: server.id(),
            manager: None,
            bus: None,
            home: tempfile::tempdir().unwrap(),
            children: vec![server],
        };
        if options.bus {
            display.start_bus();
        }
        if options.window_manager {
            display.manager = Some(display.spawn("openbox", &["--sm-disable"]));
            eventually("a window manager", || {
                let root = display.command("xprop").args(["-root", "_NET_SUPPORTING_WM_CHECK"]).output().unwrap();
                String::from_utf8_lossy(&root.stdout).contains("window id").then_some(())
            });
        }
        display
    }

    /// A program that will run on this display.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().stdin(Stdio::null());
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command
    }

    /// What the programs of this display find in their environment.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.home.path().to_string_lossy().into_owned();
        let mut all = vec![
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("HOME", home.clone()),
            ("XDG_RUNTIME_DIR", home),
            ("DISPLAY", self.name.clone()),
            ("LANG", "C.UTF-8".to_owned()),
            ("NO_AT_BRIDGE", if self.bus.is_some() { "0" } else { "1" }.to_owned()),
            ("GTK_MODULES", if self.bus.is_some() { "gail:atk-bridge" } else { "" }.to_owned()),
        ];
        all.extend(self.bus.clone().map(|bus| ("DBUS_SESSION_BUS_ADDRESS", bus)));
        all
    }

    /// Starts a program that ends with the display, and returns its process id.
    pub fn spawn(&mut self, program: &str, arguments: &[&str]) -> u32 {
        let child = self.command(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.unwrap_or_else(|error| panic!("{program}: {error}; tests/run installs it"));
        let id = child.id();
        self.children.push(child);
        id
    }

    /// Keeps a child so that it ends with the display.
    pub fn adopt(&mut self, child: Child) {
        self.children.push(child);
    }

    /// A call of macrocli in `place`, on this display.
    pub fn call<'p>(&self, place: &'p Place, words: &[&str]) -> Call<'p> {
        let environment = self.environment().into_iter().filter(|(name, _)| *name != "HOME" && *name != "PATH");
        environment.fold(place.call(words), |call, (name, value)| call.env(name, &value))
    }

    /// What a program prints that runs on this display.
    pub fn output(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}; tests/run installs it"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The whole keymap, to compare.
    pub fn keymap(&self) -> String {
        self.output("xmodmap", &["-pke"])
    }

    /// Chooses a keyboard layout.
    pub fn layout(&self, layout: &str) {
        let (layout, variant) = layout.split_once('-').unwrap_or((layout, ""));
        let status = self.command("setxkbmap").args(["-layout", layout, "-variant", variant]).status().unwrap();
        assert!(status.success(), "{layout}");
    }

    /// A folder of the display's own; the home of its programs.
    pub fn home(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    /// A number that no file of this display has yet.
    pub fn next(&self) -> usize {
        self.children.len()
    }

    fn start_bus(&mut self) {
        let mut bus = self
            .command("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus is installed by tests/run");
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        self.children.push(bus);
        self.bus = Some(address.trim().to_owned());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // Last come, first gone: the server is the last.
        for child in self.children.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
