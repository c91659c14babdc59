//! The reader of everything YAML has, with an answer to every mistake: the events of the YAML crate.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceFile;
use crate::yaml::build::{Builder, Shape, Stop};
use crate::yaml::reports::Reports;
use crate::yaml::tag::{self, CoreTag, Tagged};
use crate::yaml::tree::Node;
use crate::yaml::{fault, limits};
use granit_parser::{Event, Options, Parser, StructureStyle, Tag};
use spec::span::{FileId, Span};

/// The tree of the one document of a text, and what is wrong with it.
pub fn tree(source: &SourceFile, file: FileId) -> (Option<Node<'_>>, Reports) {
    let mut builder = Builder::new(source, file);
    let read = read(&mut builder);
    let (tree, reports) = builder.finish();
    (tree.filter(|_| read.is_ok()), reports)
}

/// Reads into the builder; on an error there will be no tree, and the reason was reported to it.
fn read(builder: &mut Builder<'_>) -> Result<(), Stop> {
    let (source, file) = (builder.source, builder.file);
    let mut documents = 0;
    for event in Parser::new_from_str_with_options(&source.text, options()) {
        let (event, place) = event.map_err(|error| {
            let problem = fault::report(file, &source.text, &error, builder.bracket());
            builder.stop(problem)
        })?;
        let range = place.byte_range().unwrap_or_default();
        match event {
            Event::DocumentStart(..) if documents > 0 => {
                builder.reports.push(several_documents(Span::new(file, range)));
                break;
            }
            Event::DocumentStart(..) => documents += 1,
            Event::Scalar(text, style, anchor, tag) => {
                let tag = core_tag(builder, tag.as_deref(), Tagged::Scalar, place);
                builder.scalar(text, style, anchor, tag, Span::new(file, range))?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                core_tag(builder, tag.as_deref(), Tagged::List, place);
                builder.open(Shape::List, style == StructureStyle::Block, anchor, range.start)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                core_tag(builder, tag.as_deref(), Tagged::Map, place);
                builder.open(Shape::Map, style == StructureStyle::Block, anchor, range.start)?;
            }
            Event::SequenceEnd | Event::MappingEnd => builder.close(range.end)?,
            Event::Alias(anchor) => builder.alias(anchor, Span::new(file, range))?,
            Event::UnresolvedAlias(name) => builder.unknown_anchor(&name, Span::new(file, range)),
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Anchor(..) => {}
            // The parser's enum is open; these are all its events, and comments are not asked for.
            _ => {}
        }
    }
    if builder.is_empty() {
        let message = if source.text.is_empty() { "the file is empty" } else { "the file has no content" };
        let problem = Diagnostic::new(Code::EmptyDocument, Span::new(file, 0..0), message);
        return Err(builder.stop(problem.help("a macro begins with `name:` and has a list of `steps:`")));
    }
    Ok(())
}

/// The core tag of a scalar; what is wrong with a tag is reported, and the node then read as if it had none.
fn core_tag(builder: &mut Builder<'_>, tag: Option<&Tag>, node: Tagged, place: granit_parser::Span) -> Option<CoreTag> {
    let tag = tag?;
    let range = place.tag_span().and_then(|span| span.byte_range()).or(place.byte_range()).unwrap_or_default();
    tag::core(tag, node, Span::new(builder.file, range)).unwrap_or_else(|problem| {
        builder.reports.push(problem);
        None
    })
}

fn options() -> Options {
    granit_parser::options! {
        flow_nesting_limit: limits::MAX_DEPTH,
        block_nesting_limit: limits::MAX_DEPTH,
        emit_unresolved_aliases: true,
        emit_comments: false,
        // Other readers of macros add no line break to a last line that has none.
        block_scalar_eof_without_line_feed: true,
    }
}

fn several_documents(span: Span) -> Diagnostic {
    Diagnostic::new(Code::SeveralDocuments, span, "a second document begins here, and a file holds one macro")
        .help("put it in a file of its own")
}
