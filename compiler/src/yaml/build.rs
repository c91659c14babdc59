//! Events to a tree, without recursion and within the limits.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceFile;
use crate::yaml::merge::{self, Merge};
use crate::yaml::reports::Reports;
use crate::yaml::tag::{self, CoreTag};
use crate::yaml::tree::{Entry, Kind, Node, Scalar};
use crate::yaml::{fault, limits, tab};
use granit_parser::ScalarStyle;
use spec::span::{FileId, Span, Spanned};
use std::borrow::Cow;
use std::collections::HashMap;

/// The reason was reported and there will be no tree.
pub struct Stop;

/// A list or a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A list.
    List,
    /// A mapping.
    Map,
}

/// Makes a tree of what a reader finds, in the order it is written.
pub struct Builder<'a> {
    /// The text that is read.
    pub source: &'a SourceFile,
    /// What spans call it.
    pub file: FileId,
    /// What was wrong so far.
    pub reports: Reports,
    /// The text has a `*`: anchored values may be needed again.
    aliases: bool,
    /// The text has a tab: indentation has to be looked at.
    tabs: bool,
    frames: Vec<Frame<'a>>,
    /// The items of the lists that are open, one list behind the other, so that each becomes a list when its length is known.
    items: Vec<Node<'a>>,
    /// The entries of the mappings that are open, likewise.
    entries: Vec<Entry<'a>>,
    anchors: HashMap<usize, Anchored<'a>>,
    /// What the tree has cost so far.
    made: Cost,
    /// What the copies of anchored values cost.
    kept: Cost,
    root: Option<Node<'a>>,
    /// A value is missing because its alias names nothing.
    holed: bool,
}

/// A list or mapping that is not closed yet.
struct Frame<'a> {
    content: Content<'a>,
    block: bool,
    anchor: usize,
    start: usize,
    /// The end of the last child.
    end: usize,
    /// Levels of lists and mappings below this one.
    height: usize,
    before: Cost,
}

enum Content<'a> {
    /// Its items begin here.
    List(usize),
    /// Its entries begin at `first`.
    Map { first: usize, merges: Vec<Merge<'a>>, key: Key<'a> },
}

/// What the next node of a mapping is.
enum Key<'a> {
    /// The key itself.
    Awaited,
    /// The value of this key.
    Text(Spanned<Cow<'a, str>>),
    /// What the `<<` written here merges.
    Merge(Span),
    /// The value of a key that was reported.
    Bad,
}

struct Anchored<'a> {
    node: Node<'a>,
    height: usize,
    cost: Cost,
}

#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: usize,
    text: usize,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost { nodes: self.nodes.saturating_add(other.nodes), text: self.text.saturating_add(other.text) }
    }

    fn minus(self, other: Cost) -> Cost {
        Cost { nodes: self.nodes.saturating_sub(other.nodes), text: self.text.saturating_sub(other.text) }
    }
}

impl<'a> Builder<'a> {
    /// Nothing is built yet.
    pub fn new(source: &'a SourceFile, file: FileId) -> Self {
        let has = |byte| memchr::memchr(byte, source.text.as_bytes()).is_some();
        Self {
            source,
            file,
            reports: Reports::default(),
            aliases: has(b'*'),
            tabs: has(b'\t'),
            frames: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: HashMap::new(),
            made: Cost::default(),
            kept: Cost::default(),
            root: None,
            holed: false,
        }
    }

    /// Whether nothing but an empty value was written.
    pub fn is_empty(&self) -> bool {
        !self.holed && self.root.as_ref().is_none_or(|root| root.span.range().is_empty() && root.is_null())
    }

    /// The tree, unless a part of it is missing; and what was wrong.
    pub fn finish(self) -> (Option<Node<'a>>, Reports) {
        (self.root.filter(|_| !self.holed), self.reports)
    }

    /// Where the innermost bracket that is still open stands.
    pub fn bracket(&self) -> Option<usize> {
        self.frames.last().filter(|frame| !frame.block).map(|frame| frame.start)
    }

    /// Ends the building with the reason for it.
    pub fn stop(&mut self, problem: Diagnostic) -> Stop {
        self.reports.push_last(problem);
        Stop
    }

    /// Takes a scalar: its text without quotes and escapes, and its place with its quotes. `anchor` is 0 for none.
    pub fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<CoreTag>,
        span: Span,
    ) -> Result<(), Stop> {
        if self.tabs && self.frames.last().is_none_or(|frame| frame.block) {
            self.refuse_tab(tab::in_indentation(&self.source.text, span.start as usize))?;
        }
        let (span, scalar) = self.leaf(text, style, tag, span);
        if let Some(Err(expected)) = tag.map(|tag| tag::apply(tag, &scalar.text)) {
            let message = format!("`{}` is not {expected}, which its tag asks for", scalar.text);
            self.reports.push(Diagnostic::new(Code::TagMismatch, span, message));
        }
        let cost = Cost { nodes: 1, text: scalar.text.len() };
        self.made = self.made.plus(cost);
        self.within_limits(span)?;
        self.place(Node { span, kind: Kind::Scalar(scalar) }, anchor, 0, cost, span)
    }

    /// The scalar and its span, which the parser gives with the blank lines after a block.
    fn leaf(&self, text: Cow<'a, str>, style: ScalarStyle, tag: Option<CoreTag>, span: Span) -> (Span, Scalar<'a>) {
        let source = &self.source.text;
        let (start, end) = (span.start, span.end);
        let (plain, content_start, end) = match style {
            ScalarStyle::Plain => (true, start, end),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (false, start.saturating_add(1), end),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let raw = source.get(span.range()).unwrap_or_default();
                (false, start, start + raw.trim_end_matches(['\n', '\r', ' ', '\t']).len() as u32)
            }
        };
        // The parser gives `~` for a value that was left out.
        let text = if plain && start == end { Cow::Borrowed("") } else { text };
        let rest = source.as_bytes().get(content_start as usize..).unwrap_or_default();
        let verbatim = rest.starts_with(text.as_bytes());
        (Span { end, ..span }, Scalar { text, plain, verbatim, content_start, tag })
    }

    /// Begins a list or mapping at the byte `start`; `block` is one without brackets.
    pub fn open(&mut self, shape: Shape, block: bool, anchor: usize, start: usize) -> Result<(), Stop> {
        let text = &self.source.text;
        if self.frames.len() >= limits::MAX_DEPTH {
            return Err(self.stop(fault::too_deep(self.file, text, start)));
        }
        if self.tabs && block {
            self.refuse_tab(tab::in_indentation(text, start).or_else(|| tab::among_indicators(text, start)))?;
        }
        let content = match shape {
            Shape::List => Content::List(self.items.len()),
            Shape::Map => Content::Map { first: self.entries.len(), merges: Vec::new(), key: Key::Awaited },
        };
        let before = self.made;
        self.made = self.made.plus(Cost { nodes: 1, text: 0 });
        self.frames.push(Frame { content, block, anchor, start, end: start, height: 0, before });
        Ok(())
    }

    /// Ends the innermost list or mapping; `end` is the byte after the closing bracket.
    pub fn close(&mut self, end: usize) -> Result<(), Stop> {
        // The parser's events are balanced.
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        // The end of a block is reported where the next thing begins.
        let end = if frame.block { frame.end } else { frame.end.max(end) };
        let kind = match frame.content {
            Content::List(first) => Kind::List(self.items.drain(first..).collect()),
            Content::Map { first, merges, .. } => {
                let entries = self.entries.drain(first..).collect();
                Kind::Map(merge::finish(entries, merges, self.source, &mut self.reports))
            }
        };
        let span = Span::new(self.file, frame.start..end);
        let cost = self.made.minus(frame.before);
        self.within_limits(span)?;
        self.place(Node { span, kind }, frame.anchor, frame.height + 1, cost, span)
    }

    /// Takes what the alias written at `place` names.
    pub fn alias(&mut self, anchor: usize, place: Span) -> Result<(), Stop> {
        let name = self.source.text.get(place.range()).unwrap_or_default();
        if self.frames.iter().any(|frame| frame.anchor == anchor) {
            let message = format!("the alias `{name}` stands inside the value it names");
            self.reports.push(Diagnostic::new(Code::RecursiveAlias, place, message));
            self.hole(place);
            return Ok(());
        }
        let Some(found) = self.anchors.get(&anchor) else {
            self.unknown_anchor(name.trim_start_matches('*'), place);
            return Ok(());
        };
        if self.frames.len() + found.height > limits::MAX_DEPTH {
            return Err(self.stop(fault::too_deep(self.file, &self.source.text, place.start as usize)));
        }
        let (height, cost) = (found.height, found.cost);
        self.made = self.made.plus(cost);
        self.within_limits(place)?;
        if let Some(found) = self.anchors.get(&anchor) {
            let node = found.node.clone();
            self.deliver(node, height, place);
        }
        Ok(())
    }

    /// Keeps a finished node for its aliases and hands it to what it is part of.
    fn place(&mut self, node: Node<'a>, anchor: usize, height: usize, cost: Cost, place: Span) -> Result<(), Stop> {
        if anchor != 0 && self.aliases {
            self.kept = self.kept.plus(cost);
            self.within_limits(place)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), height, cost });
        }
        self.deliver(node, height, place);
        Ok(())
    }

    /// Hands a node, written or named at `place`, to the list or mapping it is part of.
    fn deliver(&mut self, node: Node<'a>, height: usize, place: Span) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return;
        };
        frame.height = frame.height.max(height);
        frame.end = frame.end.max(place.end as usize);
        match &mut frame.content {
            Content::List(_) => self.items.push(node),
            Content::Map { first, merges, key } => match std::mem::replace(key, Key::Awaited) {
                Key::Awaited => *key = read_key(node, place, &mut self.reports),
                Key::Text(key) => self.entries.push(Entry { key, value: node }),
                Key::Merge(key) => merges.push(Merge { at: self.entries.len() - *first, key, value: node }),
                Key::Bad => {}
            },
        }
    }

    /// Goes on without the node at `place`.
    fn hole(&mut self, place: Span) {
        self.holed = true;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.end = frame.end.max(place.end as usize);
        if let Content::Map { key, .. } = &mut frame.content {
            *key = if matches!(key, Key::Awaited) { Key::Bad } else { Key::Awaited };
        }
    }

    /// Takes an alias that names nothing.
    pub fn unknown_anchor(&mut self, name: &str, place: Span) {
        let message = format!("no anchor `&{name}` is defined before this alias");
        self.reports.push(
            Diagnostic::new(Code::UnknownAnchor, place, message).help("put a text that begins with `*` in quotes"),
        );
        self.hole(place);
    }

    fn refuse_tab(&mut self, tab: Option<usize>) -> Result<(), Stop> {
        tab.map_or(Ok(()), |at| Err(self.stop(tab::report(self.file, at))))
    }

    fn within_limits(&mut self, place: Span) -> Result<(), Stop> {
        let Cost { nodes, text } = self.made.plus(self.kept);
        let message = if nodes > limits::MAX_NODES {
            format!("with its aliases replaced the file has more than {} values", limits::MAX_NODES)
        } else if text > limits::MAX_TEXT {
            format!("with its aliases replaced the file has more than {} bytes of text", limits::MAX_TEXT)
        } else {
            return Ok(());
        };
        Err(self.stop(Diagnostic::new(Code::LimitExceeded, place, message)))
    }
}

fn read_key<'a>(node: Node<'a>, place: Span, reports: &mut Reports) -> Key<'a> {
    let message = match node.kind {
        Kind::Scalar(key) if key.plain && key.text == "<<" => return Key::Merge(place),
        Kind::Scalar(key) if key.plain && key.text.is_empty() => "a key is missing before the `:`",
        Kind::Scalar(key) => return Key::Text(Spanned::new(key.text, place)),
        Kind::List(_) => "a list cannot be the key of a mapping",
        Kind::Map(_) => "a mapping cannot be the key of a mapping",
    };
    reports.push(
        Diagnostic::new(Code::BadKey, place, message)
            .help("keys are texts; put a text that begins with `[` or `{` in quotes"),
    );
    Key::Bad
}
