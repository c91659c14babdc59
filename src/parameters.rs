//! The values a run is given: from flags, JSON documents and places where secrets are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use spec::artifact::Macro;
use spec::sensitive::is_sensitive_name;

use crate::args::Run;
use crate::engine::{Given, Inputs};
use crate::files;
use crate::trouble::Trouble;

/// The most bytes of a parameters document or a secret.
const LIMIT: u64 = 16 << 20;

/// Values by the parameters' names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The values.
    pub given: BTreeMap<String, Given>,
    /// Those that must never be shown.
    pub secrets: BTreeSet<String>,
    /// Those that came over standard input, where nobody else can read them.
    pub private: BTreeSet<String>,
}

impl Parameters {
    /// Reads what the command line gives.
    ///
    /// # Errors
    /// When something is malformed, given twice or cannot be read.
    pub fn read(args: &Run) -> Result<Parameters, Trouble> {
        let mut readers = Vec::new();
        readers.extend(args.target.as_deref().filter(|target| *target == "-" && args.macro_file.is_none()));
        readers.extend(args.attached.then_some("--attached"));
        readers.extend(args.params_json.as_deref().filter(|text| *text == "-"));
        readers.extend(args.secret.iter().map(String::as_str).filter(|secret| secret.ends_with("=stdin")));
        if let [first, second, ..] = readers.as_slice() {
            return Err(Trouble::usage(format!(
                "standard input can be read only once; `{first}` and `{second}` both want it"
            )));
        }
        let mut parameters = Parameters::default();
        for pair in &args.param {
            let (name, value) = split(pair, "--param")?;
            parameters.add(name, Given::Text(value.to_owned()))?;
        }
        if let Some(text) = &args.params_json {
            for (name, value) in object(text)? {
                if text == "-" {
                    parameters.private.insert(name.clone());
                }
                parameters.add(&name, Given::Json(vm::json_text::from_json(&value)))?;
            }
        }
        if args.attached {
            for (name, value) in attached()? {
                parameters.add(&name, Given::Json(vm::json_text::from_json(&value)))?;
                parameters.private.insert(name);
            }
        }
        for secret in &args.secret {
            let (name, place) = split(secret, "--secret")?;
            parameters.add(name, Given::Text(fetch(name, place)?))?;
            parameters.secrets.insert(name.to_owned());
        }
        Ok(parameters)
    }

    /// A sentence for each secret of the macro that was given where others can read it.
    pub fn exposed(&self, unit: &Macro) -> Vec<String> {
        let hidden = |name: &str| self.secrets.contains(name) || self.private.contains(name);
        let open = |name: &str| self.given.contains_key(name) && !hidden(name);
        let secrets = unit.parameters.iter().filter(|parameter| parameter.secret && open(&parameter.name));
        let sentence = |name: &str| {
            format!("parameter `{name}` is secret, and the command line is not: give it with `--secret {name}=…`")
        };
        secrets.map(|parameter| sentence(&parameter.name)).collect()
    }

    /// Whether what was given on the command line itself may be a secret of the macro: it is declared or given as one, is named like one, or
    /// nobody knows what it is.
    pub fn may_show_secrets(&self, unit: Option<&Macro>) -> bool {
        let declared = unit.map(|unit| unit.parameters.as_slice()).unwrap_or_default();
        let open = |name: &str| {
            let known = declared.iter().any(|record| record.name == name && !record.secret);
            known && !is_sensitive_name(name) && !self.secrets.contains(name)
        };
        self.given.keys().any(|name| !self.private.contains(name) && !open(name))
    }

    /// As the machine takes them.
    pub fn into_inputs(self) -> Inputs {
        Inputs { given: self.given.into_iter().collect(), secrets: self.secrets.into_iter().collect() }
    }

    fn add(&mut self, name: &str, value: Given) -> Result<(), Trouble> {
        if self.given.insert(name.to_owned(), value).is_some() {
            return Err(Trouble::usage(format!("parameter `{name}` is given twice")));
        }
        Ok(())
    }
}

fn split<'a>(pair: &'a str, flag: &str) -> Result<(&'a str, &'a str), Trouble> {
    let (name, value) = pair.split_once('=').unwrap_or_default();
    if name.is_empty() {
        // What stands there may be a secret: it is not repeated.
        return Err(Trouble::usage(format!("`{flag}` needs NAME=VALUE"))
            .hint("put quotes around the whole of it when the value has spaces"));
    }
    Ok((name, value))
}

/// The object of `--params-json`: a file behind `@`, standard input for `-`, or the text itself.
fn object(text: &str) -> Result<serde_json::Map<String, serde_json::Value>, Trouble> {
    let (from, read) = match text.strip_prefix('@') {
        Some(path) => (format!("`{path}`"), files::read(Path::new(path), LIMIT)),
        None if text == "-" => ("standard input".to_owned(), files::read_stdin(LIMIT)),
        None => ("`--params-json`".to_owned(), Ok(text.as_bytes().to_vec())),
    };
    let is_file = !text.starts_with('@') && Path::new(text).is_file();
    parse(&from, read).map_err(|trouble| trouble.hint_if(is_file.then(|| format!("for the file write `@{text}`"))))
}

/// The object on the first line of standard input.
fn attached() -> Result<serde_json::Map<String, serde_json::Value>, Trouble> {
    parse("standard input", files::read_stdin_line(LIMIT))
}

fn parse(from: &str, read: Result<Vec<u8>, String>) -> Result<serde_json::Map<String, serde_json::Value>, Trouble> {
    let bytes = read.map_err(|reason| Trouble::usage(format!("parameters cannot be read from {from}: {reason}")))?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    match serde_json::from_slice(bytes) {
        Ok(serde_json::Value::Object(map)) => match vm::json_text::repeated_key(bytes) {
            Some((0, name)) => Err(Trouble::usage(format!("parameter `{name}` is given twice in {from}"))),
            Some((_, key)) => Err(Trouble::usage(format!("the key `{key}` is written twice in an object in {from}"))),
            None => Ok(map),
        },
        Ok(_) => Err(Trouble::usage(format!("{from} must hold a JSON object, as {{\"name\": \"value\"}}"))),
        Err(error) => Err(Trouble::usage(format!("{from} is not JSON: {error}"))),
    }
}

/// A secret from where it is kept.
pub fn fetch(name: &str, place: &str) -> Result<String, Trouble> {
    let bad = |reason: String| Trouble::usage(format!("secret `{name}` cannot be read: {reason}"));
    let bytes = match place.split_once(':') {
        Some(("env", variable)) => {
            let value = std::env::var_os(variable)
                .ok_or_else(|| bad(format!("environment variable `{variable}` is not set")))?;
            return value.into_string().map_err(|_| bad(format!("environment variable `{variable}` is not UTF-8")));
        }
        Some(("file", path)) => {
            files::read(Path::new(path), LIMIT).map_err(|reason| bad(format!("`{path}`: {reason}")))?
        }
        None if place == "stdin" => files::read_stdin(LIMIT).map_err(bad)?,
        Some(_) | None => {
            let trouble = bad("its place is not known".to_owned());
            return Err(trouble.hint(format!("write `{name}=env:VARIABLE`, `{name}=file:PATH` or `{name}=stdin`")));
        }
    };
    let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
    let line = text.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    Ok(line.map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use spec::artifact::{Macro, ParameterRecord, TypeTag};
    use spec::value::Value;

    use crate::args::{Cli, Command};
    use crate::engine::Given;
    use crate::parameters::Parameters;

    fn read(words: &[&str]) -> Result<Parameters, String> {
        let words = ["macrocli", "run", "m"].iter().chain(words);
        let Command::Run(args) = Cli::try_parse_from(words).unwrap().command else { panic!() };
        Parameters::read(&args).map_err(|trouble| trouble.message)
    }

    #[test]
    fn values_keep_what_they_are() {
        let found = read(&["-p", "a=b=c", "--param", "e=", "--params-json", r#"{"n": 1.50, "l": [1]}"#]).unwrap();
        let text = |text: &str| Some(Given::Text(text.to_owned()));
        assert_eq!(found.given.get("a").cloned(), text("b=c"));
        assert_eq!(found.given.get("e").cloned(), text(""));
        assert_eq!(found.given.get("n"), Some(&Given::Json(Value::Float(1.5))));
        assert!(found.secrets.is_empty());
    }

    #[test]
    fn mistakes_are_named() {
        for (words, message) in [
            (vec!["-p", "a=1", "-p", "a=2"], "parameter `a` is given twice"),
            (vec!["-p", "a=1", "--params-json", r#"{"a": 1}"#], "parameter `a` is given twice"),
            (vec!["--params-json", r#"{"a": 1, "a": 2}"#], "parameter `a` is given twice in `--params-json`"),
            (
                vec!["--params-json", r#"{"a": [{"b": 1, "b": 1}]}"#],
                "the key `b` is written twice in an object in `--params-json`",
            ),
            (vec!["-p", "a"], "`--param` needs NAME=VALUE"),
            (vec!["-p", "=a"], "`--param` needs NAME=VALUE"),
            (vec!["--params-json", "[]"], "`--params-json` must hold a JSON object, as {\"name\": \"value\"}"),
            (vec!["--secret", "a=b"], "secret `a` cannot be read: its place is not known"),
            (
                vec!["--secret", "a=stdin", "--params-json", "-"],
                "standard input can be read only once; `-` and `a=stdin` both want it",
            ),
        ] {
            assert_eq!(read(&words), Err(message.to_owned()), "{words:?}");
        }
    }

    #[test]
    fn only_what_is_known_to_be_open_is_open() {
        let record = |name: &str, secret| ParameterRecord {
            name: name.to_owned(),
            ty: TypeTag::String,
            required: false,
            secret,
            needed: false,
            default: None,
            choices: Vec::new(),
            min: None,
            max: None,
            description: String::new(),
            example: None,
        };
        let parameters = vec![record("n", false), record("code", true), record("pin", false)];
        let unit = Macro { parameters, ..Macro::default() };
        for (words, expected) in [
            (vec![], false),
            (vec!["-p", "n=1"], false),
            (vec!["-p", "code=1"], true),
            (vec!["-p", "n=1", "-p", "pin=1"], true),
            (vec!["-p", "cdoe=1"], true),
            (vec!["--params-json", r#"{"code": "1"}"#], true),
            (vec!["--params-json", r#"{"n": "1"}"#], false),
        ] {
            assert_eq!(read(&words).unwrap().may_show_secrets(Some(&unit)), expected, "{words:?}");
        }
        assert!(read(&["-p", "n=1"]).unwrap().may_show_secrets(None));
    }

    #[test]
    fn secrets_lose_one_line_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s");
        for (text, secret) in [("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x", "x"), ("", "")] {
            fs::write(&file, text).unwrap();
            let found = read(&["--secret", &format!("k=file:{}", file.display())]).unwrap();
            assert_eq!(found.given.get("k"), Some(&Given::Text(secret.to_owned())));
            assert!(found.secrets.contains("k"));
        }
    }
}
