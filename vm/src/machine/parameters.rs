//! The values given to a run, checked against what the macro declares. Every problem is found, not only the first.

use std::cmp::Ordering;

use spec::artifact::{Constants, ParameterRecord};
use spec::grammar::nearest::nearest;
use spec::operand::Const;
use spec::value::{Type, Value};

use crate::machine::budget::Budget;
use crate::machine::eval::{compare, equal};
use crate::machine::reading;
use crate::machine::text::{listed, shown};

/// What a run is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Values by the parameters' names; of two with the same name the later counts.
    pub given: Vec<(String, Given)>,
    /// Names of given values that must never be shown, whatever the macro declares.
    pub secrets: Vec<String>,
}

/// A given value.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Text, read as the declared type is written (`--param name=text`).
    Text(String),
    /// A JSON value, which has a type of its own (`--params-json`).
    Json(Value),
}

/// The values of the parameters, by their places; `None` has no value.
///
/// # Errors
/// One sentence for each problem. Secret values are not quoted.
pub fn bind(
    records: &[ParameterRecord],
    constants: &Constants,
    inputs: &Inputs,
    budget: &mut Budget,
) -> Result<Vec<Option<Value>>, Vec<String>> {
    let mut problems: Vec<String> = unknown(records, inputs);
    let mut values = Vec::with_capacity(records.len());
    for record in records {
        let given = inputs.given.iter().rev().find(|(name, _)| *name == record.name).map(|(_, given)| given);
        let secret = record.secret || inputs.secrets.contains(&record.name);
        let mut checker = Checker { record, constants, budget, secret };
        match checker.value(given) {
            Ok(value) => values.push(value),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

/// The values of a called macro's parameters from computed arguments; an absent argument counts as not given.
///
/// # Errors
/// One sentence for each problem. Secret values are not quoted.
pub fn bind_call(
    records: &[ParameterRecord],
    constants: &Constants,
    arguments: &[Option<Value>],
    budget: &mut Budget,
) -> Result<Vec<Option<Value>>, Vec<String>> {
    let mut problems = Vec::new();
    let mut values = Vec::with_capacity(records.len());
    for (place, record) in records.iter().enumerate() {
        let mut checker = Checker { record, constants, budget, secret: record.secret };
        match checker.computed(arguments.get(place).and_then(Option::as_ref)) {
            Ok(value) => values.push(value),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

/// How many unknown parameters are named.
const NAMED: usize = 20;

fn unknown(records: &[ParameterRecord], inputs: &Inputs) -> Vec<String> {
    let names: Vec<String> = records.iter().map(|record| record.name.clone()).collect();
    let mut unknown: Vec<&String> =
        inputs.given.iter().map(|(name, _)| name).filter(|name| !names.contains(name)).collect();
    unknown.dedup();
    let mut problems: Vec<String> = unknown
        .iter()
        .take(NAMED)
        .map(|name| match nearest(name, names.iter().map(String::as_str)) {
            _ if names.is_empty() => format!("unknown parameter `{name}`: the macro has no parameters"),
            Some(near) => format!("unknown parameter `{name}`: did you mean `{near}`?"),
            None => format!("unknown parameter `{name}`: the macro has {}", listed(&names, "and")),
        })
        .collect();
    if let Some(more @ 1..) = unknown.len().checked_sub(NAMED) {
        problems.push(format!("and {more} more unknown parameters"));
    }
    problems
}

struct Checker<'a> {
    record: &'a ParameterRecord,
    constants: &'a Constants,
    budget: &'a mut Budget,
    secret: bool,
}

impl Checker<'_> {
    fn value(&mut self, given: Option<&Given>) -> Result<Option<Value>, String> {
        let Some(given) = given else { return self.default() };
        let found = || match given {
            Given::Text(text) => Value::String(text.clone()),
            Given::Json(value) => value.clone(),
        };
        let value = reading::read(self.ty(), given).map_err(|expected| self.wrong(&expected, &found()))?;
        self.allowed(value).map(Some)
    }

    fn computed(&mut self, argument: Option<&Value>) -> Result<Option<Value>, String> {
        let Some(argument) = argument else { return self.default() };
        let value = reading::computed(self.ty(), argument).map_err(|expected| self.wrong(&expected, argument))?;
        self.allowed(value).map(Some)
    }

    fn ty(&self) -> Type {
        self.record.ty.into()
    }

    fn default(&mut self) -> Result<Option<Value>, String> {
        let name = &self.record.name;
        match self.record.default {
            Some(default) => self.constant(default),
            None if self.record.required => Err(format!("parameter `{name}` is required and was not given")),
            None if self.record.needed => Err(format!("parameter `{name}` has no value")),
            None => Ok(None),
        }
    }

    /// The value, when the constraints allow it.
    fn allowed(&mut self, value: Value) -> Result<Value, String> {
        let mut choices = Vec::with_capacity(self.record.choices.len());
        for choice in &self.record.choices {
            choices.extend(self.constant(*choice)?);
        }
        if !choices.is_empty() && !choices.iter().any(|choice| equal(choice, &value)) {
            let names: Vec<String> = choices.iter().map(shown).collect();
            let mut near = None;
            if let Value::String(text) = &value
                && !self.secret
            {
                near = nearest(text, names.iter().map(String::as_str));
            }
            let mut message = self.wrong(&listed(&names, "or"), &value);
            if let Some(near) = near {
                message.push_str(&format!(": did you mean `{near}`?"));
            }
            return Err(message);
        }
        if let Some(min) = self.record.min
            && let Some(min) = self.constant(min)?
            && compare(&value, &min) == Ok(Ordering::Less)
        {
            return Err(self.wrong(&format!("at least {}", shown(&min)), &value));
        }
        if let Some(max) = self.record.max
            && let Some(max) = self.constant(max)?
            && compare(&value, &max) == Ok(Ordering::Greater)
        {
            return Err(self.wrong(&format!("at most {}", shown(&max)), &value));
        }
        Ok(value)
    }

    /// A constant of the record, on the run's account: however a table is made, its values cannot exhaust the memory.
    fn constant(&mut self, place: u32) -> Result<Option<Value>, String> {
        let value = self.constants.value(Const(place));
        if let Some(value) = &value {
            self.budget.value(value).map_err(|failure| failure.message)?;
        }
        Ok(value)
    }

    fn wrong(&self, expected: &str, found: &Value) -> String {
        let name = &self.record.name;
        if self.secret {
            return format!("parameter `{name}` must be {expected} (the value is secret and not shown)");
        }
        format!("parameter `{name}` must be {expected}, found `{}`", shown(found))
    }
}

#[cfg(test)]
mod tests {
    use spec::artifact::{Constant, Constants, ParameterRecord, TypeTag};
    use spec::value::Value;

    use crate::machine::budget::Budget;
    use crate::machine::parameters::{Given, Inputs, bind, bind_call};

    fn record(name: &str, ty: TypeTag) -> ParameterRecord {
        ParameterRecord {
            name: name.to_owned(),
            ty,
            required: false,
            secret: false,
            needed: false,
            default: None,
            choices: Vec::new(),
            min: None,
            max: None,
            description: String::new(),
            example: None,
        }
    }

    fn inputs(given: &[(&str, &str)]) -> Inputs {
        let given = given.iter().map(|(name, text)| ((*name).to_owned(), Given::Text((*text).to_owned()))).collect();
        Inputs { given, secrets: Vec::new() }
    }

    fn constants() -> Constants {
        let words = ["fast", "slow"].map(|word| Constant::String(word.to_owned()));
        Constants { list: (0..10).map(Constant::Integer).chain(words).collect() }
    }

    #[test]
    fn every_problem_is_named() {
        let records = [
            ParameterRecord { min: Some(5), ..record("count", TypeTag::Integer) },
            ParameterRecord { max: Some(5), ..record("size", TypeTag::Float) },
            ParameterRecord { choices: vec![10, 11], ..record("speed", TypeTag::String) },
            ParameterRecord { required: true, ..record("target", TypeTag::String) },
            ParameterRecord { needed: true, ..record("title", TypeTag::String) },
            ParameterRecord { secret: true, ..record("pin", TypeTag::Integer) },
            record("flag", TypeTag::Boolean),
        ];
        let given =
            [("count", "4"), ("size", "5.5"), ("speed", "fsat"), ("pin", "hunter2"), ("flag", ""), ("zzzzzz", "1")];
        let problems = bind(&records, &constants(), &inputs(&given), &mut Budget::new()).unwrap_err();
        assert_eq!(
            problems,
            [
                "unknown parameter `zzzzzz`: the macro has `count`, `size`, `speed`, `target`, `title`, `pin` and `flag`",
                "parameter `count` must be at least 5, found `4`",
                "parameter `size` must be at most 5, found `5.5`",
                "parameter `speed` must be `fast` or `slow`, found `fsat`: did you mean `fast`?",
                "parameter `target` is required and was not given",
                "parameter `title` has no value",
                "parameter `pin` must be a whole number of 64 bits in plain decimal (the value is secret and not shown)",
                "parameter `flag` must be a boolean, one of true, yes, on, 1, false, no, off and 0 in any case, found ``",
            ]
        );
    }

    #[test]
    fn many_unknown_names_make_a_short_message() {
        let given: Vec<(String, Given)> =
            (0..100_000).map(|nth| (format!("k{nth}"), Given::Text(String::new()))).collect();
        let inputs = Inputs { given, secrets: Vec::new() };
        let problems = bind(&[record("n", TypeTag::Integer)], &constants(), &inputs, &mut Budget::new()).unwrap_err();
        assert_eq!(problems.len(), 21);
        assert_eq!(problems.last().map(String::as_str), Some("and 99980 more unknown parameters"));
    }

    #[test]
    fn constraints_look_at_typed_values() {
        let records = [ParameterRecord { choices: vec![1, 2, 3], default: Some(1), ..record("n", TypeTag::Integer) }];
        let bound = |given: &[(&str, &str)]| bind(&records, &constants(), &inputs(given), &mut Budget::new());
        assert_eq!(bound(&[("n", "2")]), Ok(vec![Some(Value::Integer(2))]));
        assert_eq!(bound(&[]), Ok(vec![Some(Value::Integer(1))]));
        assert_eq!(bound(&[("n", "4"), ("n", "3")]), Ok(vec![Some(Value::Integer(3))]));
        assert_eq!(bound(&[("n", "4")]).unwrap_err(), ["parameter `n` must be `1`, `2` or `3`, found `4`"]);
    }

    #[test]
    fn names_given_as_secret_are_not_quoted() {
        let secret = Inputs { secrets: vec!["n".to_owned()], ..inputs(&[("n", "hunter2")]) };
        let problems = bind(&[record("n", TypeTag::Integer)], &constants(), &secret, &mut Budget::new()).unwrap_err();
        assert!(!problems[0].contains("hunter2"), "{problems:?}");
    }

    #[test]
    fn called_macros_check_what_they_are_given() {
        let records = [ParameterRecord { max: Some(5), ..record("n", TypeTag::Integer) }, record("t", TypeTag::String)];
        let bound = |n: Value, t: Option<Value>| bind_call(&records, &constants(), &[Some(n), t], &mut Budget::new());
        assert_eq!(bound(Value::Integer(5), None), Ok(vec![Some(Value::Integer(5)), None]));
        let text = bound(Value::String("4".into()), Some(Value::Integer(1)));
        assert_eq!(text, Ok(vec![Some(Value::Integer(4)), Some(Value::String("1".into()))]));
        assert!(bound(Value::Integer(6), None).is_err());
        assert!(bound(Value::List(vec![]), None).is_err());
    }
}
