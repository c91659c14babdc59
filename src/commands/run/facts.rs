//! What the history keeps of a run beside its document.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use spec::artifact::Artifact;
use vm::json_text::to_json;

use crate::args::Run;
use crate::engine::{self, Given};
use crate::history::{Facts, parameters};
use crate::parameters::Parameters;

/// Of a program that is about to be run. Without the `hash` of its file it is that of the file a build would write.
pub fn of_program(artifact: &Artifact, hash: Option<String>, given: &Parameters) -> Facts {
    let declared = artifact.macros.last().map(|unit| unit.parameters.as_slice()).unwrap_or_default();
    // A name that is not declared may be that of a secret, mistyped.
    let open = |name: &str| declared.iter().any(|record| !record.secret && record.name == name);
    let secret = |name: &str| given.secrets.contains(name) || !open(name);
    let value = |given: &Given| match given {
        Given::Text(text) => Value::String(text.clone()),
        Given::Json(value) => to_json(value),
    };
    let values: BTreeMap<String, Value> =
        given.given.iter().map(|(name, given)| (name.clone(), value(given))).collect();
    let (parameters, hidden) = parameters(&values, secret);
    let hash = hash.unwrap_or_else(|| engine::content_hash(&engine::to_bytes(artifact)));
    Facts { artifact_hash: Some(hash), parameters, hidden }
}

/// Of a macro that did not compile: nobody knows which of its parameters are secret, so their names alone are kept.
pub fn of_refused(args: &Run) -> Facts {
    let names = args.param.iter().chain(&args.secret).filter_map(|pair| pair.split_once('='));
    let parameters: Map<String, Value> = names.map(|(name, _)| (name.to_owned(), "***".into())).collect();
    Facts { parameters: parameters.into(), ..Facts::default() }
}
