//! Declared outputs.

use std::collections::BTreeSet;

use spec::artifact::ResultKind;
use spec::kind::Shape;
use spec::value::Type;

use crate::ast::{Output, OutputValue, Written};
use crate::check::Checker;
use crate::check::argument::Receiver;
use crate::ir;

impl Checker<'_, '_> {
    /// The results of the IR.
    pub fn results(&mut self, outputs: &[Output]) -> Vec<ir::Output> {
        outputs.iter().filter_map(|output| self.result(output)).collect()
    }

    fn result(&mut self, output: &Output) -> Option<ir::Output> {
        let (kind, value, ty) = match &output.value {
            OutputValue::Path(scalar) => {
                let receiver = Receiver {
                    name: &"path",
                    shape: Shape::Path,
                    check: &|value| <spec::kind::Path as spec::kind::Kind>::read(value).map(drop),
                };
                let path = self.argument(receiver, &Written::Scalar(scalar.clone()))?;
                (ResultKind::Path, path, Type::String)
            }
            OutputValue::Value(written) => {
                let typed = self.typed(written)?;
                (ResultKind::Value, typed.expr, typed.ty)
            }
        };
        let (name, description) = (output.name.node.clone(), output.description.clone());
        let expose = self.exposed(&output.expose);
        Some(ir::Output { name, kind, value, ty, expose, secrets: BTreeSet::new(), description })
    }
}
