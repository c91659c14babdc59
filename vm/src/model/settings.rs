//! Which model is asked, where, and with which key: what a step gives, and what the environment gives else.

use spec::artifact::Manifest;
use spec::variable::{API_KEY, BASE_URL, MODEL};
use thiserror::Error;

use crate::failure::{Failure, FailureKind};
use crate::model::address::Address;
use crate::model::key::Key;

/// The server whose key this is when there is a key and no address.
const OPENAI: &str = "https://api.openai.com/v1";

/// What a caller gives itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The model's name; blank as if it were not given.
    pub model: Option<&'a str>,
    /// The key; blank for a server that needs none.
    pub api_key: Option<&'a str>,
    /// The server's address; blank as if it were not given.
    pub base_url: Option<&'a str>,
}

/// What is needed to ask.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(in crate::model) model: String,
    pub(in crate::model) key: Key,
    pub(in crate::model) address: Address,
}

/// Why nothing can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// No model is named.
    #[error("no model is named")]
    Model,
    /// Neither a server nor a key is named.
    #[error("no model server is named")]
    Server,
    /// The address is wrong.
    #[error("the address of the model's server cannot be used: {reason}")]
    Address {
        /// Why.
        reason: String,
    },
    /// The key would go to another machine for everybody to read.
    #[error("the key would be sent without TLS to `{server}`, which is not this machine")]
    Plain {
        /// The address, without what may be secret in it.
        server: String,
    },
}

impl SettingsError {
    /// What to set.
    pub fn hint(&self) -> String {
        match self {
            Self::Model => format!("set {MODEL}, or give `model`"),
            Self::Server => {
                format!("set {BASE_URL} (and {API_KEY}, if the server needs a key), or give `base_url`")
            }
            Self::Address { .. } => {
                format!("`base_url` and {BASE_URL} are written as `http://127.0.0.1:8080/v1`")
            }
            Self::Plain { .. } => format!(
                "use an address with `https://`, or name the server by {BASE_URL} in the environment if you trust everybody on the way"
            ),
        }
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let kind = match error {
            SettingsError::Model | SettingsError::Server => FailureKind::Unavailable,
            SettingsError::Address { .. } | SettingsError::Plain { .. } => FailureKind::BadArgument,
        };
        Self::new(kind, error.to_string()).hint(error.hint())
    }
}

impl Settings {
    /// What is given, and else what the environment has. The environment's key is for the environment's server alone: whoever names another
    /// names its key, or asks it without one.
    ///
    /// # Errors
    /// What is missing or wrong; or a key would go without TLS to another machine that the environment does not name.
    pub fn new(given: Given<'_>, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let variable = |name: &str| environment(name).as_deref().and_then(named);
        let model = given.model.and_then(named).or_else(|| variable(MODEL)).ok_or(SettingsError::Model)?;
        let base = given.base_url.and_then(named);
        let own = base.as_deref().map(Address::of).transpose()?;
        let usual = variable(BASE_URL);
        let usual = Address::of(usual.as_deref().unwrap_or(OPENAI));
        let trusted = own.as_ref().is_none_or(|own| usual.as_ref().is_ok_and(|usual| usual == own));
        let key = given.api_key.map(str::to_owned);
        let key = Key::new(&key.or_else(|| environment(API_KEY).filter(|_| trusted)).unwrap_or_default());
        if own.is_none() && variable(BASE_URL).is_none() && key.bearer().is_none() {
            return Err(SettingsError::Server);
        }
        let address = own.map_or(usual, Ok)?;
        if !trusted && key.bearer().is_some() && address.is_plain() && !address.is_loopback() {
            return Err(SettingsError::Plain { server: address.to_string() });
        }
        Ok(Self { model, key, address })
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The server, without what may be secret in its address.
    pub fn server(&self) -> String {
        self.address.to_string()
    }

    /// A text without the key.
    pub fn mask(&self, text: &str) -> String {
        self.key.mask(text)
    }
}

fn named(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// What a program leaves to the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    model: bool,
    server: bool,
}

impl Default for Needs {
    fn default() -> Self {
        Self { model: true, server: true }
    }
}

impl Needs {
    /// What the steps of a program do not give themselves: its manifest names the variables that are read in their place.
    pub fn of(manifest: &Manifest) -> Self {
        let reads = |variable: &str| manifest.environment.iter().any(|name| name == variable);
        Self { model: reads(MODEL), server: reads(BASE_URL) && reads(API_KEY) }
    }

    /// Whether the environment has it.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn check(self, environment: &dyn Fn(&str) -> Option<String>) -> Result<(), SettingsError> {
        // What the steps give is looked at when they run.
        let given = Given {
            model: (!self.model).then_some("given"),
            base_url: (!self.server).then_some("http://given"),
            ..Given::default()
        };
        Settings::new(given, environment).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use spec::artifact::Manifest;

    use crate::model::settings::{Given, Needs, Settings, SettingsError};

    fn settings(given: Given<'_>, variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        Settings::new(given, &|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn what_a_step_gives_comes_first() {
        let variables =
            [("MACROCLI_MODEL", "m"), ("MACROCLI_API_KEY", "key1\n"), ("MACROCLI_BASE_URL", "http://h:1/v1/")];
        let found = settings(Given::default(), &variables).unwrap();
        assert_eq!((found.model(), found.key.text()), ("m", "key1"));
        assert_eq!(found.server(), "http://h:1/v1/chat/completions");
        let given = Given { model: Some("n"), api_key: Some(""), base_url: Some(" ") };
        let found = settings(given, &variables).unwrap();
        assert_eq!((found.model(), found.key.bearer()), ("n", None));
        assert_eq!(found.server(), "http://h:1/v1/chat/completions");
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(settings(Given::default(), &[]).unwrap_err(), SettingsError::Model);
        let given = Given { model: Some("m"), ..Given::default() };
        assert_eq!(settings(given, &[("MACROCLI_API_KEY", " \n")]).unwrap_err(), SettingsError::Server);
        let found = settings(given, &[("MACROCLI_API_KEY", "sk-1")]).unwrap();
        assert_eq!(found.server(), "https://api.openai.com/v1/chat/completions");
        let wrong = settings(given, &[("MACROCLI_BASE_URL", "127.0.0.1:1")]).unwrap_err();
        assert!(wrong.hint().contains("http://127.0.0.1"), "{wrong}");
    }

    #[test]
    fn the_key_of_the_environment_is_for_its_server_alone() {
        let to = |base: &'static str| Given { model: Some("m"), base_url: Some(base), ..Given::default() };
        let key = ("MACROCLI_API_KEY", "sk-1");
        let server = ("MACROCLI_BASE_URL", "http://10.0.0.1:1/v1");
        let bearer = |base, variables: &[(&str, &str)]| settings(to(base), variables).unwrap().key.bearer();
        let sent = Some("Bearer sk-1".to_owned());
        for other in ["http://127.0.0.1:1/v1", "https://evil.example", "https://api.openai.com/v1", "http://10.0.0.1:2"]
        {
            assert_eq!(bearer(other, &[key, server]), None, "{other}");
            assert_eq!(bearer(other, &[key, ("MACROCLI_BASE_URL", "nonsense")]), None, "{other}");
        }
        assert_eq!(bearer("https://evil.example", &[key]), None);
        assert_eq!(bearer("http://10.0.0.1:1/v1/chat/completions", &[key, server]), sent);
        assert_eq!(bearer("https://api.openai.com", &[key]), sent);
        assert_eq!(bearer(" ", &[key, server]), sent);
    }

    #[test]
    fn no_key_goes_to_another_machine_without_tls() {
        let to = |base| Given { model: Some("m"), base_url: Some(base), api_key: Some("sk-2") };
        for base in
            ["http://127.0.0.1:1", "http://127.8.8.8", "http://[::1]:8080/v1", "http://LocalHost:1", "https://h"]
        {
            assert_eq!(settings(to(base), &[]).unwrap().key.text(), "sk-2", "{base}");
        }
        for base in ["http://h:1", "http://10.0.0.1/v1", "http://localhost.example", "http://127.0.0.1.example"] {
            let refused = settings(to(base), &[]).unwrap_err();
            assert!(matches!(refused, SettingsError::Plain { .. }), "{base}");
            assert!(settings(to(base), &[("MACROCLI_BASE_URL", base)]).is_ok(), "{base}");
        }
        let none = Given { api_key: Some(""), ..to("http://h:1") };
        assert!(settings(none, &[]).is_ok());
    }

    #[test]
    fn a_program_that_gives_all_itself_needs_nothing() {
        let manifest = |names: &[&str]| Manifest {
            environment: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Manifest::default()
        };
        assert_eq!(Needs::of(&manifest(&["MACROCLI_API_KEY"])).check(&|_| None), Ok(()));
        let all = manifest(&["MACROCLI_MODEL", "MACROCLI_API_KEY", "MACROCLI_BASE_URL"]);
        assert_eq!(Needs::of(&all), Needs::default());
        assert_eq!(Needs::of(&all).check(&|_| None), Err(SettingsError::Model));
        let server = manifest(&["MACROCLI_API_KEY", "MACROCLI_BASE_URL"]);
        assert_eq!(Needs::of(&server).check(&|_| None), Err(SettingsError::Server));
    }
}
