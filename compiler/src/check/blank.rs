//! The blanks of a recording: what `${…}` in its texts means in the macro that replays it.

use spec::action::{Action, Parameter, Presence};
use spec::kind::{self, Kind, Shape};
use spec::span::Span;
use spec::value::Value;

use crate::assets::{Blank, Purpose};
use crate::ast::Written;
use crate::check::Checker;
use crate::check::argument::Receiver;
use crate::check::constant::value;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::ir::{Expr, ExprKind};

impl Checker<'_, '_> {
    /// Adds what fills the blanks of the recording among `arguments`, which is packed. Whether nothing in it is wrong; what is, is reported
    /// at its place in the recording.
    pub fn fill(&mut self, action: Action, arguments: &mut Vec<(u16, Expr)>) -> bool {
        let place = |wanted: &dyn Fn(&Parameter) -> bool| action.parameters().iter().position(wanted);
        let recording = place(&|one| one.shape == Shape::Recording);
        let file = recording.and_then(|place| arguments.iter().find(|(other, _)| usize::from(*other) == place));
        let Some((_, file)) = file else { return true };
        let span = file.span;
        let Some(Value::String(key)) = value(file) else {
            let name = recording.and_then(|place| action.parameters().get(place)).map_or("", |one| one.name);
            let message = format!("`{name}` must be a plain text: a recording is read when the macro is built");
            let help = "write one step for each recording, each with its own `when`";
            self.report(Diagnostic::new(Code::BadArgument, span, message).help(help));
            return false;
        };
        let blanks = self.around.packer.assets.blanks(key);
        let texts = place(&|one| one.presence == Presence::Filled).and_then(|place| u16::try_from(place).ok());
        let Some(texts) = texts.filter(|_| !blanks.is_empty()) else { return true };
        let reported = self.around.problems.count();
        let filled: Vec<Option<Expr>> = blanks.iter().map(|blank| self.blank(blank)).collect();
        self.name_step(reported, span);
        let Some(filled) = filled.into_iter().collect::<Option<Vec<Expr>>>() else { return false };
        arguments.push((texts, Expr { kind: ExprKind::List(filled), span }));
        arguments.sort_by_key(|(place, _)| *place);
        true
    }

    fn blank(&mut self, blank: &Blank) -> Option<Expr> {
        let (shape, check): (Shape, &dyn Fn(Value) -> Result<(), kind::KindError>) = match blank.purpose {
            Purpose::Typed => (kind::Typed::SHAPE, &|value| kind::Typed::read(value).map(drop)),
            Purpose::File => (kind::Path::SHAPE, &|value| kind::Path::read(value).map(drop)),
            Purpose::Window => (kind::NonEmpty::SHAPE, &|value| kind::NonEmpty::read(value).map(drop)),
        };
        let receiver = Receiver { name: &blank.purpose.field(), shape, check };
        self.argument(receiver, &Written::Scalar(blank.scalar.clone()))
    }

    /// A recording can be replayed by several steps: what is wrong for one of them says for which.
    fn name_step(&mut self, reported: usize, step: Span) {
        for problem in self.around.problems.since(reported) {
            problem.labels.push(Label { span: step, message: "replayed here".to_owned() });
        }
    }
}
