//! What a policy says to `assist`, before anything is looked at or sent.

use spec::artifact::Capability;
use vm::need::{self, Need, Refusal};
use vm::policy::Policy;

use crate::assist::screen::CURRENT;
use crate::trouble::Trouble;

/// Whether the policy allows to look at the screen (or to read the file in its place), to ask a model, and to ask the server that is named. The
/// usual server, from the environment, belongs to `model`, as it does in runs.
///
/// # Errors
/// [`Trouble::refused`] with everything that is not allowed.
pub fn check(policy: Option<&Policy>, screenshot: &str, base_url: Option<&str>) -> Result<(), Trouble> {
    let Some(policy) = policy else { return Ok(()) };
    let seen = match screenshot {
        CURRENT => Need::named(Capability::Capture, ""),
        path => Need::named(Capability::Read, path),
    };
    let server = base_url.map(str::trim).filter(|url| !url.is_empty());
    let server = server.map(|url| Need::named(Capability::Host, url));
    let needs = [seen, Need::named(Capability::Model, "")].into_iter().chain(server);
    let refusals: Vec<Refusal> = needs.filter_map(|need| policy.judge(&need).err()).collect();
    if refusals.is_empty() {
        return Ok(());
    }
    let failure = need::refused(&refusals);
    Err(Trouble::refused(failure.message).hint_if(failure.hint))
}

#[cfg(test)]
mod tests {
    use vm::policy::{Policy, Rules};

    use crate::assist::permission::check;

    #[test]
    fn everything_that_is_not_allowed_is_named() {
        let refused = |list: &str, screenshot: &str, server: Option<&str>| {
            let mut rules = Rules::new("the policy `p`");
            rules.allow_list(list).unwrap();
            check(Some(&Policy::new(vec![rules])), screenshot, server).err().map(|trouble| trouble.message)
        };
        let server = Some("http://127.0.0.1:1/v1");
        assert_eq!(refused("model,capture", "current", None), None);
        assert_eq!(refused("model,capture,host=127.0.0.1", "current", server), None);
        assert_eq!(refused("model,read", "a.png", Some(" ")), None);
        let all = refused("type", "current", server).unwrap();
        assert!(["`capture`", "`model`", "127.0.0.1"].iter().all(|word| all.contains(word)), "{all}");
        assert!(refused("model,capture", "current", server).unwrap().contains("host="));
        assert!(refused("model,capture", "/a.png", None).unwrap().contains("`read=/a.png`"));
        assert_eq!(check(None, "current", server).map_err(|trouble| trouble.message), Ok(()));
    }
}
