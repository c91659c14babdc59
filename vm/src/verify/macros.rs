//! Macros: their code follows one another without gaps, and their parameters and results are what they say.

use spec::artifact::{Artifact, Constant, LoadError, Macro, ParameterRecord, Section, TableFault, TypeTag};
use spec::operand::Const;

use crate::verify::{PARAMETER_LIMIT, TIME_LIMIT_US, at_most, distinct, in_range};

/// Checks every macro.
pub fn check(artifact: &Artifact) -> Result<(), LoadError> {
    let mut start = 0;
    for (index, record) in artifact.macros.iter().enumerate() {
        let fail = |fault| LoadError::table(Section::Macros, index, fault);
        let range = TableFault::CodeRange { start: record.start, end: record.end };
        if record.start != start || record.end <= start || record.end as usize > artifact.code.len() {
            return Err(fail(range));
        }
        start = record.end;
        one(artifact, record).map_err(fail)?;
    }
    let Some(last) = artifact.macros.len().checked_sub(1) else {
        return Err(LoadError::table(Section::Macros, 0, TableFault::Empty { what: "macro" }));
    };
    if start as usize != artifact.code.len() {
        let range = TableFault::CodeRange { start: artifact.macros[last].start, end: start };
        return Err(LoadError::table(Section::Macros, last, range));
    }
    Ok(())
}

fn one(artifact: &Artifact, record: &Macro) -> Result<(), TableFault> {
    at_most("parameters", record.parameters.len() as u64, PARAMETER_LIMIT)?;
    if record.parameters.len() > usize::from(record.slots) {
        return Err(TableFault::Slots);
    }
    distinct("parameter", record.parameters.iter().map(|parameter| parameter.name.as_str()))?;
    distinct("result", record.results.iter().map(|result| result.name.as_str()))?;
    at_most("results", record.results.len() as u64, u64::from(u16::MAX))?;
    at_most("microseconds of timeout", record.timeout_us.unwrap_or(0), TIME_LIMIT_US)?;
    record.parameters.iter().try_for_each(|declared| parameter(artifact, declared))
}

fn parameter(artifact: &Artifact, declared: &ParameterRecord) -> Result<(), TableFault> {
    let typed = |what, constant: u32| {
        in_range("constant", constant, artifact.constants.list.len())?;
        let fits =
            artifact.constants.list.get(Const(constant).index()).is_some_and(|value| has_type(value, declared.ty));
        if fits {
            Ok(())
        } else {
            Err(TableFault::WrongType { what, expected: spec::value::Type::from(declared.ty).name() })
        }
    };
    declared.default.map_or(Ok(()), |constant| typed("the default", constant))?;
    declared.choices.iter().try_for_each(|constant| typed("a choice", *constant))?;
    declared.example.map_or(Ok(()), |constant| in_range("constant", constant, artifact.constants.list.len()))?;
    for (what, bound) in [("the minimum", declared.min), ("the maximum", declared.max)] {
        let Some(bound) = bound else { continue };
        in_range("constant", bound, artifact.constants.list.len())?;
        // A whole number can be bounded by a fraction.
        let number = artifact.constants.list.get(bound as usize).is_some_and(|value| has_type(value, TypeTag::Float));
        if !number || !matches!(declared.ty, TypeTag::Integer | TypeTag::Float) {
            return Err(TableFault::WrongType { what, expected: "a number, of a parameter that is a number" });
        }
    }
    Ok(())
}

fn has_type(constant: &Constant, ty: TypeTag) -> bool {
    match constant {
        Constant::Null => false,
        Constant::Boolean(_) => ty == TypeTag::Boolean,
        Constant::Integer(_) => matches!(ty, TypeTag::Integer | TypeTag::Float),
        Constant::Float(_) | Constant::Number(_) => ty == TypeTag::Float,
        Constant::String(_) => ty == TypeTag::String,
        Constant::List(_) => ty == TypeTag::List,
        Constant::Dict(_) => ty == TypeTag::Dict,
    }
}
