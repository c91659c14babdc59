//! Names whose values are probably secret, whatever a macro declares: what is stored or shown of them is masked, and a build warns.

/// Words that mean a secret wherever they stand, unless [`REMARKS`] end the name.
const ALWAYS: &[&str] = &["password", "passwd", "passphrase", "passcode", "passwort", "pwd", "apikey"];

/// Words that mean a secret at the end of a name.
const LAST: &[&str] = &["secret", "token", "credential", "credentials", "otp", "totp", "pin", "cvv", "cvc"];

/// Words that mean a secret before a `key` at the end of a name.
const BEFORE_KEY: &[&str] = &["api", "access", "private", "secret", "auth", "encryption", "signing", "ssh", "license"];

/// Words that end the name of something about a secret, which is none itself.
const REMARKS: &[&str] = &[
    "file", "path", "folder", "dir", "name", "field", "label", "length", "len", "count", "id", "hint", "policy",
    "prompt", "title", "url", "min", "max", "type",
];

/// Whether a value of this name (of a parameter, a variable, a field) is probably a secret: `password`, `db_password`, `apiKey`, `auth-token`.
///
/// Names are taken apart at `_`, `-`, `.`, blanks and where a capital follows a small letter; digits at the end of a word do not count. A
/// plain `key` is none, and neither is `password_file`.
pub fn is_sensitive_name(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last().map(String::as_str) else { return false };
    if REMARKS.contains(&last) {
        return false;
    }
    let before = words.len().checked_sub(2).and_then(|place| words.get(place)).map_or("", String::as_str);
    words.iter().any(|word| ALWAYS.contains(&word.as_str()))
        || LAST.contains(&last)
        || (last == "key" && BEFORE_KEY.contains(&before))
}

/// The words of a name in small letters, without those made of digits only.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for character in name.chars() {
        let parts = matches!(character, '_' | '-' | '.') || character.is_whitespace();
        if parts || (small && character.is_uppercase()) {
            words.push(String::new());
        }
        small = character.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| !parts) {
            word.extend(character.to_lowercase());
        }
    }
    let plain = |word: String| word.trim_end_matches(|last: char| last.is_ascii_digit()).to_owned();
    words.into_iter().map(plain).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_sensitive_name;

    #[test]
    fn names_of_secrets_are_known() {
        for name in [
            "password",
            "Password",
            "db_password",
            "password2",
            "new-password",
            "userPassword",
            "PASSWD",
            "pwd",
            "api_key",
            "apiKey",
            "APIKEY",
            "auth-token",
            "token",
            "github.token",
            "client_secret",
            "private_key",
            "pin",
            "passphrase_1",
        ] {
            assert!(is_sensitive_name(name), "{name}");
        }
        for name in [
            "",
            "_",
            "key",
            "keys",
            "file",
            "password_file",
            "tokens",
            "max_tokens",
            "token_count",
            "spin",
            "pinned",
            "secretary",
            "monkey",
            "compass",
            "password_length",
            "sort_key",
            "keyboard",
        ] {
            assert!(!is_sensitive_name(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_judged(name in "\\PC{0,40}") {
            let _ = is_sensitive_name(&name);
        }

        #[test]
        fn a_password_by_any_first_name_is_one(first in "[a-z]{1,8}", digits in "[0-9]{0,2}") {
            let name = format!("{first}_password{digits}");
            prop_assert!(is_sensitive_name(&name));
        }
    }
}
