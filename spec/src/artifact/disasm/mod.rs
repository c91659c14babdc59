//! An artifact as text, for people and for golden files.
//!
//! Works on every artifact, verified or not: what names nothing is printed as its number.

mod constant;
mod operand;
mod outline;

use std::collections::BTreeMap;

pub use outline::Part;

use crate::action::Action;
use crate::artifact::{Artifact, Macro, StepKind, StepRecord, written_hash};
use crate::op::Op;
use crate::operand::Const;
use crate::value::Type;

/// Where places stand beside instructions.
const COMMENT: usize = 56;

impl Artifact {
    /// The artifact as text: what it says of itself, then the code of each macro with labels, names and places.
    pub fn disassemble(&self) -> String {
        let mut text = String::new();
        header(self, &mut text);
        for (index, record) in self.macros.iter().enumerate() {
            text.push('\n');
            one_macro(self, index, record, &mut text);
        }
        text
    }
}

fn header(artifact: &Artifact, text: &mut String) {
    let meta = &artifact.meta;
    line(text, format!("; macro {} {}", one_line(&meta.name), one_line(&meta.version)));
    line(text, format!("; sha256 {}", written_hash(&artifact.to_bytes())));
    for (name, value) in [("target", &meta.target), ("producer", &meta.producer)] {
        if !value.is_empty() {
            line(text, format!("; {name} {}", one_line(value)));
        }
    }
    for stream in &artifact.streams {
        line(text, format!("; recording {:?}: {} events, {} steps", stream.path, stream.events.len(), stream.steps));
    }
    for image in &artifact.images {
        line(text, format!("; image {:?}: {}x{}", image.path, image.width, image.height));
    }
}

fn one_macro(artifact: &Artifact, index: usize, record: &Macro, text: &mut String) {
    line(text, format!("macro {index} {}", one_line(&record.name)));
    for (slot, parameter) in record.parameters.iter().enumerate() {
        let mut about = format!("; s{slot} {}: {}", one_line(&parameter.name), Type::from(parameter.ty));
        for (said, word) in
            [(parameter.required, "required"), (parameter.secret, "secret"), (parameter.needed, "needed")]
        {
            if said {
                about.push(' ');
                about.push_str(word);
            }
        }
        if let Some(default) = parameter.default {
            about.push_str(" = ");
            about.push_str(&constant::show(&artifact.constants, Const(default)));
        }
        line(text, about);
    }
    let code = artifact.code.get(record.start as usize..record.end as usize).unwrap_or_default();
    let labels = labels(code);
    let mut names = operand::Names::new(artifact, record, &labels);
    for (at, op) in (record.start..).zip(code) {
        if let Some(label) = labels.get(&at) {
            line(text, format!("L{label}:"));
        }
        if let Op::Step { step, .. } = op
            && let Some(step) = artifact.steps.get(step.index())
        {
            line(text, format!("; {}", about_step(artifact, step)));
        }
        let instruction = format!("  {at:04}  {}", names.instruction(op));
        match place(artifact, at) {
            Some(place) => line(text, format!("{instruction:<COMMENT$}  ; {place}")),
            None => line(text, instruction),
        }
    }
}

/// The labels of a macro, numbered in the order of their places.
fn labels(code: &[Op]) -> BTreeMap<u32, usize> {
    let mut labels: BTreeMap<u32, usize> =
        code.iter().filter_map(|op| op.effect().branch).map(|branch| (branch.to.0, 0)).collect();
    for (number, label) in labels.values_mut().enumerate() {
        *label = number + 1;
    }
    labels
}

fn about_step(artifact: &Artifact, step: &StepRecord) -> String {
    let mut about = match step.kind {
        StepKind::Act { route, fallback } => {
            let other = fallback.map_or(String::new(), |route| format!(", then {}", self::route(artifact, route)));
            format!("{}{other}", self::route(artifact, route))
        }
        StepKind::Call { callee } => match artifact.macros.get(callee as usize) {
            Some(callee) => format!("macro {}", one_line(&callee.name)),
            None => format!("macro{callee}"),
        },
    };
    if step.recovery {
        about = format!("recovery({about})");
    }
    about.push_str(&format!(", timeout {} us", step.timeout_us));
    if step.retries > 0 {
        about.push_str(&format!(", retries {} after {:?} us", step.retries, step.backoff_us));
    }
    if step.within_us > 0 {
        about.push_str(&format!(", within {} us", step.within_us));
    }
    about.push_str(&format!(", on failure {}", step.on_failure.name()));
    if step.must_run {
        about.push_str(", must run");
    }
    about
}

/// The actions of a route, joined by bars.
fn route(artifact: &Artifact, route: u32) -> String {
    let Some(record) = artifact.routes.get(route as usize) else { return format!("route{route}") };
    let names = record.actions.iter().map(|number| match Action::by_number(*number) {
        Some(action) => format!("{}.{}", action.backend().name(), action.name()),
        None => format!("action{number}"),
    });
    names.collect::<Vec<_>>().join("|")
}

fn place(artifact: &Artifact, at: u32) -> Option<String> {
    let debug = &artifact.debug;
    let place = debug.places.get(*debug.code.get(at as usize)? as usize)?;
    let file = debug.files.get(place.file as usize)?;
    Some(format!("{}:{}:{}", one_line(file), place.line, place.column))
}

/// A name that could hold line ends, as one line.
fn one_line(name: &str) -> String {
    let mut line = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

fn line(text: &mut String, line: String) {
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use crate::artifact::sample;
    use crate::artifact::{Artifact, Constant, Macro};
    use crate::op::Op;
    use crate::operand::{Callee, Const, Label, Mask, Route, Step};

    #[test]
    fn names_what_it_can() {
        let artifact = sample::artifact();
        let text = artifact.disassemble();
        let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with("; sha256 ")).collect();
        let expected = "\
; macro demo 1.0
; image \"a.png\": 1x1

macro 0 demo
; s0 who: string = \"world\"
; s1 count: integer required
; native_api.run_command, timeout 30000000 us, retries 2 after [1000, 2000] us, on failure fail, must run
  0000  step greet end=L4                                 ; demo.yaml:4:5
L1:
  0001  try L2                                            ; demo.yaml:4:5
  0002  const [\"echo\", \"hi\"]                              ; demo.yaml:6:7
  0003  load who                                          ; demo.yaml:6:7
  0004  act native_api.run_command (command, cwd)         ; demo.yaml:4:5
  0005  output stdout slot=s2                             ; demo.yaml:4:5
  0006  end_try                                           ; demo.yaml:4:5
  0007  jump L3                                           ; demo.yaml:4:5
L2:
  0008  retry L1                                          ; demo.yaml:4:5
  0009  settle                                            ; demo.yaml:4:5
L3:
  0010  end_step                                          ; demo.yaml:4:5
L4:
  0011  load_maybe s2                                     ; demo.yaml:6:7
  0012  apply trim                                        ; demo.yaml:6:7
  0013  result said                                       ; demo.yaml:6:7
  0014  return                                            ; demo.yaml:4:5";
        assert_eq!(rest.join("\n"), expected);
    }

    #[test]
    fn prints_what_names_nothing() {
        let mut artifact = Artifact {
            code: vec![
                Op::Const { value: Const(9) },
                Op::Step { step: Step(9), end: Label(99) },
                Op::Act { route: Route(9), given: Mask(3) },
                Op::Call { callee: Callee(9), given: Mask(1 << 63) },
            ],
            macros: vec![Macro { name: "a\nb".to_owned(), end: 4, ..Macro::default() }],
            ..Artifact::default()
        };
        assert!(artifact.disassemble().ends_with(
            "macro 0 a\\nb\n  0000  const k9\n  0001  step step9 end=L1\n  0002  act route9 (0, 1)\n  0003  call macro9 (63)\n"
        ));
        // Constants that would unfold without end.
        artifact.constants.list = (0..64).map(|index| Constant::List(vec![index; 9])).collect();
        artifact.code[0] = Op::Const { value: Const(63) };
        assert!(artifact.disassemble().len() < 2000);
    }
}
