//! Finds the end of an expression before it is parsed, and refuses what is too long or too deep to be parsed safely.

/// The longest expression, in bytes, without its `${` and `}`.
pub const MAX_BYTES: usize = 8_192;
/// How deep brackets and nested `${…}` may stand in each other.
pub const MAX_DEPTH: usize = 64;
/// The most words, numbers and operator characters: every level of the tree costs one, so this bounds its depth.
pub const MAX_TOKENS: usize = 500;

/// Where an expression ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The byte of the closing brace.
    pub close: usize,
    /// The byte of the `:` of a `:-` that belongs to the whole expression.
    pub default: Option<usize>,
    /// How deep brackets and nested `${…}` stand in each other, itself included.
    pub depth: usize,
    /// The limit it exceeds, if any.
    pub limit: Option<Limit>,
}

/// A limit an expression exceeds although its end was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`MAX_DEPTH`].
    Depth,
    /// [`MAX_TOKENS`].
    Tokens,
}

/// Why the end was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// No closing brace.
    Brace,
    /// No closing quote for the one at this byte.
    Quote(usize),
    /// No closing brace within [`MAX_BYTES`].
    Length,
}

/// The extent of the expression whose first byte (behind its `${`) is `start`.
pub fn extent(text: &str, start: usize) -> Result<Extent, Endless> {
    let limit = text.len().min(start.saturating_add(MAX_BYTES + 1));
    // Every byte looked for is ASCII, so bytes of longer characters only ever pass by.
    let scan = Scan { bytes: &text.as_bytes()[..limit], frames: vec![Frame::Expr], default: None, depth: 1, tokens: 0 };
    let found = scan.run(start);
    match found {
        Err(_) if limit < text.len() => Err(Endless::Length),
        Err(_) | Ok(_) => found,
    }
}

/// What the scan is inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// `${…`.
    Expr,
    /// The same behind a `:-` whose fallback is quoted or in parentheses.
    Value,
    Paren,
    Bracket,
    /// A brace in an expression: never right, but its partner must not end the expression.
    Brace,
    /// A fallback that is plain text.
    Text,
    /// A brace in such a text.
    TextBrace,
}

struct Scan<'a> {
    bytes: &'a [u8],
    frames: Vec<Frame>,
    default: Option<usize>,
    depth: usize,
    tokens: usize,
}

impl Scan<'_> {
    fn run(mut self, start: usize) -> Result<Extent, Endless> {
        let mut at = start;
        while let Some(frame) = self.frames.last().copied() {
            let Some(byte) = self.bytes.get(at).copied() else { return Err(Endless::Brace) };
            let next = match frame {
                Frame::Text | Frame::TextBrace => self.text(at, byte),
                Frame::Expr | Frame::Value | Frame::Paren | Frame::Bracket | Frame::Brace => {
                    self.expr(at, byte, frame)?
                }
            };
            if self.frames.is_empty() {
                let limit = if self.depth > MAX_DEPTH {
                    Some(Limit::Depth)
                } else {
                    (self.tokens > MAX_TOKENS).then_some(Limit::Tokens)
                };
                return Ok(Extent { close: at, default: self.default, depth: self.depth, limit });
            }
            at = next;
        }
        Err(Endless::Brace)
    }

    fn text(&mut self, at: usize, byte: u8) -> usize {
        let rest = &self.bytes[at..];
        if rest.starts_with(b"$${") {
            self.push(Frame::TextBrace);
            return at + 3;
        }
        if rest.starts_with(b"${") {
            self.push(Frame::Expr);
            return at + 2;
        }
        match byte {
            b'{' => self.push(Frame::TextBrace),
            b'}' => drop(self.frames.pop()),
            _ => {}
        }
        at + 1
    }

    fn expr(&mut self, at: usize, byte: u8, frame: Frame) -> Result<usize, Endless> {
        match byte {
            b'\'' | b'"' => return self.quoted(at, byte),
            b'(' => self.push(Frame::Paren),
            b'[' => self.push(Frame::Bracket),
            b'{' => self.push(Frame::Brace),
            b')' if frame == Frame::Paren => drop(self.frames.pop()),
            b']' if frame == Frame::Bracket => drop(self.frames.pop()),
            // Brackets left open inside end with it; the parser will say so.
            b'}' => while matches!(self.frames.pop(), Some(Frame::Paren | Frame::Bracket)) {},
            b':' if frame == Frame::Expr && self.bytes.get(at + 1) == Some(&b'-') => return Ok(self.fallback(at)),
            _ => {}
        }
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let starts_word = word(byte) && !at.checked_sub(1).is_some_and(|before| word(self.bytes[before]));
        self.tokens += usize::from(starts_word || b"!-+*/%<>=&|.,([".contains(&byte));
        Ok(at + 1)
    }

    fn fallback(&mut self, at: usize) -> usize {
        if self.frames.len() == 1 {
            self.default = Some(at);
        }
        self.tokens += 1;
        let first = self.bytes[at + 2..].iter().find(|byte| !byte.is_ascii_whitespace());
        let frame = if matches!(first, Some(b'\'' | b'"' | b'(')) { Frame::Value } else { Frame::Text };
        if let Some(top) = self.frames.last_mut() {
            *top = frame;
        }
        at + 2
    }

    fn quoted(&mut self, at: usize, quote: u8) -> Result<usize, Endless> {
        self.tokens += 1;
        let mut end = at + 1;
        loop {
            match self.bytes.get(end) {
                None => return Err(Endless::Quote(at)),
                Some(byte) if *byte == quote => return Ok(end + 1),
                Some(b'\\') if quote == b'"' => end += 2,
                Some(_) => end += 1,
            }
        }
    }

    fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
        self.depth = self.depth.max(self.frames.len());
    }
}
